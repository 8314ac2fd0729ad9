import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { DEEPGRAM_LOG, DEEPGRAM_RECORDING } from '../../replay/cassette/import/serviceResults.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;
const CASSETTE = join(SAMPLES, 'sense-and-sensibility.cassette.jsonl');

const folder = () =>
  suiteFolder({
    'talk.txt': 'Good morning. My name is Anna.\n',
    'talk.srt': '1\n00:00:00,500 --> 00:00:02,600\nGood morning. My name is Ann.\n',
    'talk.jsonl': DEEPGRAM_LOG.map(message => `${JSON.stringify(message)}\n`).join(''),
    'result.json': JSON.stringify(DEEPGRAM_RECORDING),
    'same.txt': 'ann = anna\n',
  });

test.each(['talk.srt', 'talk.jsonl', 'result.json'])(
  'score compares %s with a text, and says what was tested',
  async name => {
    const directory = await folder();
    const paths = [join(directory, 'talk.txt'), join(directory, name)];
    const { code, stdout, stderr } = await runCommand(['score', ...paths]);
    expect(stdout).toMatch(/^file +audio +WER +CER\n/);
    expect(stdout).toMatch(/all +0:02\.6 +16\.67 %/);
    expect(stdout).toContain('1 result from a file, of which only words are tested');
    expect(stdout).toMatch(/REF .*ANNA.*\nHYP .*ANN\b/i);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);

test('score has the limits, rules, reports and exit codes of replay', async () => {
  const directory = await folder();
  const [reference, result] = [join(directory, 'talk.txt'), join(directory, 'talk.srt')];
  const [json, page] = [join(directory, 'report.json'), join(directory, 'report.html')];
  const reports = ['--report', json, '--report', page];
  const failed = await runCommand(
    cli`score ${reference} ${result} --max-wer 10% --threshold keywords.recall=1 --keyword Anna ${reports}`,
  );
  expect(failed.stdout).toContain('✘ wer 16.67 % is above 10.00 %');
  expect(failed.stdout).toContain('✘ keywords.recall 0.00 % is below 100.00 %');
  expect(failed.code).toBe(6);
  const report = JSON.parse(await readFile(json, 'utf8'));
  expect(report).toMatchObject({
    suite: 'talk',
    alignment: 'levenshtein',
    violations: 0,
    gate: { passed: false },
  });
  expect(await readFile(page, 'utf8')).not.toMatch(/<dt>(?:Coverage|Reconnects|Caption violations)/);

  const same = join(directory, 'same.txt');
  const options = ['--equivalences', same, '--alignment', 'sclite', '--max-wer', '0', '--json'];
  const passed = await runCommand(cli`score ${reference} ${result} ${options}`);
  const { wer, files, alignment } = JSON.parse(passed.stdout);
  expect({ wer, alignment, service: files[0].service }).toEqual({
    wer: 0,
    alignment: 'sclite',
    service: 'file',
  });
  expect(passed.code).toBe(0);
});

test('score names the words that are worse than in a baseline', async () => {
  const directory = await folder();
  const [reference, result] = [join(directory, 'talk.txt'), join(directory, 'talk.srt')];
  const baseline = ['--baseline', join(directory, 'baseline.json')];
  expect((await runCommand(cli`score ${reference} ${result} ${baseline} --update`)).code).toBe(0);
  await writeFile(result, (await readFile(result, 'utf8')).replace('morning', 'mourning'));
  const { code, stdout } = await runCommand(cli`score ${reference} ${result} ${baseline} --strict`);
  expect(stdout).toMatch(/✘ .*mourning/);
  expect(code).toBe(6);
});

test('a cassette without audio can be scored; replay says why it cannot be played', async () => {
  const directory = await folder();
  const out = join(directory, 'imported.cassette.jsonl');
  const imported = await runCommand(cli`record --import ${join(directory, 'talk.jsonl')} --out ${out}`);
  expect(imported.stdout).toContain("Without its audio, it can be scored ('rxscribe score'), not played.");
  const scored = await runCommand(cli`score ${join(directory, 'talk.txt')} ${out}`);
  expect(scored.stdout).toMatch(/all +0:02\.6 +16\.67 %/);
  const asReference = await runCommand(cli`score ${out} ${join(directory, 'talk.srt')} --max-wer 0`);
  expect(asReference).toMatchObject({ code: 0, stdout: expect.stringContaining('†') });
  const { code, stderr } = await runCommand(cli`replay ${out}`);
  expect(stderr).toContain(`Cannot play '${out}': the log was imported without audio.`);
  expect(stderr).toContain("'rxscribe score'");
  expect(code).toBe(3);
});

test('a recorded cassette is scored by what was recorded', async () => {
  const reference = join(SAMPLES, 'sense-and-sensibility.txt');
  const score = JSON.parse((await runCommand(cli`score ${reference} ${CASSETTE} --json`)).stdout);
  const replay = JSON.parse(
    (await runCommand(cli`replay ${CASSETTE} --reference ${reference} --json`)).stdout,
  );
  expect(score.words).toEqual(replay.words);
  expect(score.words.tokens).toBeGreaterThan(50);
});

test.each<[what: string, flags: readonly string[], code: number, message: RegExp]>([
  [
    'a measure of a stream',
    ['--threshold', 'coverage=1'],
    2,
    /'coverage' cannot be measured without a stream/,
  ],
  ['unknown rules', ['--rules', 'klingon-1'], 2, /'klingon-1' is not known/],
  ['--update alone', ['--update'], 2, /--update requires --baseline/],
])('score refuses %s', async (_, flags, code, message) => {
  const directory = await folder();
  const { stderr, ...run } = await runCommand(
    cli`score ${join(directory, 'talk.txt')} ${join(directory, 'talk.srt')} ${flags}`,
  );
  expect(stderr).toMatch(message);
  expect(run.code).toBe(code);
});

test('score says which of the files cannot be read', async () => {
  const directory = await folder();
  const [talk, none] = [join(directory, 'talk.txt'), join(directory, 'none.txt')];
  const noReference = await runCommand(cli`score ${none} ${talk}`);
  expect(noReference).toMatchObject({ code: 3, stderr: expect.stringContaining(`the reference '${none}'`) });
  const noResult = await runCommand(cli`score ${talk} ${none}`);
  expect(noResult).toMatchObject({ code: 3, stderr: expect.stringContaining(`the result '${none}'`) });
});
