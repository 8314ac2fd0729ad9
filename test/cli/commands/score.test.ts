import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { suiteFolder } from '../../replay/suite/suiteFolder.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;
const FIXTURES = new URL('../../fixtures/captions/', import.meta.url).pathname;
const CASSETTE = join(SAMPLES, 'sense-and-sensibility.cassette.jsonl');

const TRANSCRIPT = {
  monologues: [
    {
      speaker: 0,
      elements: [{ type: 'text', value: 'Good morning. My name is Ann.', ts: 0.5, end_ts: 2.6 }],
    },
  ],
};

const folder = () =>
  suiteFolder({
    'talk.txt': 'Good morning. My name is Anna.\n',
    'talk.srt': '1\n00:00:00,500 --> 00:00:02,600\nGood morning. My name is Ann.\n',
    'talk.json': JSON.stringify(TRANSCRIPT),
    'same.txt': 'ann = anna\n',
  });

test.each(['talk.srt', 'talk.json'])(
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
    gate: { passed: false },
  });
  expect(await readFile(page, 'utf8')).not.toMatch(/<dt>(?:Coverage|Reconnects|Caption violations)/);

  const same = join(directory, 'same.txt');
  const options = ['--equivalences', same, '--max-wer', '0', '--json'];
  const passed = await runCommand(cli`score ${reference} ${result} ${options}`);
  const { wer, files } = JSON.parse(passed.stdout);
  expect({ wer, service: files[0].service }).toEqual({
    wer: 0,
    service: 'file',
  });
  expect(passed.code).toBe(0);
});

test('score reads equivalences in UTF-16', async () => {
  const directory = await folder();
  const same = join(directory, 'wide.txt');
  await writeFile(same, Buffer.from('\uFEFFann = anna\n', 'utf16le'));
  const paths = [join(directory, 'talk.txt'), join(directory, 'talk.srt')];
  expect((await runCommand(cli`score ${paths} --equivalences ${same} --max-wer 0`)).code).toBe(0);
  await writeFile(same, Buffer.from('ann = \xe4', 'latin1'));
  const { code, stderr } = await runCommand(cli`score ${paths} --equivalences ${same}`);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it is not text in UTF-8') });
});

test('score and replay read subtitles by their content', async () => {
  const directory = await folder();
  const cues = join(FIXTURES, 'own.ttml');
  const [said, named] = [join(SAMPLES, 'sense-and-sensibility.txt'), join(directory, 'named.txt')];
  await copyFile(cues, named);
  for (const path of [cues, named]) {
    expect((await runCommand(cli`score ${said} ${path} --max-wer 0`)).code).toBe(0);
  }
  const replay = (path: string) => runCommand(cli`replay ${CASSETTE} --reference ${path} --json`);
  const [byText, byCues] = await Promise.all([replay(said), replay(named)]);
  expect(JSON.parse(byCues.stdout).words).toEqual(JSON.parse(byText.stdout).words);
  await writeFile(named, '<!DOCTYPE html><p>secret</p>');
  const message = `'${named}': expected plain text, SubRip, WebVTT, TTML or a transcript as JSON, found XML or HTML.`;
  for (const run of [runCommand(cli`score ${said} ${named}`), replay(named)]) {
    expect((await run).stderr).toContain(message);
  }
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

test('a recorded cassette is scored by what was recorded', async () => {
  const reference = join(SAMPLES, 'sense-and-sensibility.txt');
  const score = JSON.parse((await runCommand(cli`score ${reference} ${CASSETTE} --json`)).stdout);
  const replay = JSON.parse(
    (await runCommand(cli`replay ${CASSETTE} --reference ${reference} --json`)).stdout,
  );
  expect(score.words).toEqual(replay.words);
  expect(score.words.tokens).toBeGreaterThan(50);
});

test('a cassette whose results are in a wrong order does not pass', async () => {
  const lines = (await readFile(CASSETTE, 'utf8')).trimEnd().split('\n');
  const finals = lines.flatMap((line, index) => (line.includes('"type":"final"') ? [index] : []));
  const directory = await folder();
  const [reference, damaged] = [join(directory, 'talk.txt'), join(directory, 'damaged.cassette.jsonl')];
  const repeated = lines.toSpliced(finals[1]! + 1, 0, lines[finals[1]!]!);
  await writeFile(damaged, `${repeated.join('\n')}\n`);
  const audio = 'sense-and-sensibility.wav';
  await copyFile(join(SAMPLES, audio), join(directory, audio));
  const { code, stdout } = await runCommand(cli`score ${reference} ${damaged}`);
  expect(stdout).toMatch(/is about audio that is final since line/);
  expect(code).toBe(6);
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
