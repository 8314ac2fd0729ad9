import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReport } from '../../../src/replay/report/jsonReport.ts';
import { cli, jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { createSayingRecognizer } from '../../helpers/sayingRecognizer.ts';
import { scriptedRecordings } from '../../helpers/scriptedRecordings.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const WORDS = ['the', 'cat', 'sat'];
/** "the cat sat", a pause, and "the cat sat" again. */
const SPEECH = [1, 2, 3, 0, 0, 0, 0, 1, 2, 3];
const TEXT = 'The cat sat.\nThe cat sat.\n';

async function recordings(names: readonly string[]): Promise<string> {
  return scriptedRecordings(Object.fromEntries(names.map(name => [name, { levels: SPEECH, text: TEXT }])));
}

const serviceSaying = (words: readonly string[]) =>
  startTestService({ recognizer: createSayingRecognizer(words) });

/** As reports show its address. */
const streamed = ({ url }: { readonly url: string }) => url.replace('http:', 'ws:');

interface Line {
  readonly name: string;
  readonly service: string;
  readonly wer: number;
  readonly cer: number;
  readonly failures: number;
  readonly coverage: number;
  readonly difference: { readonly low: number; readonly high: number } | null;
  readonly delay: { readonly final: { readonly p95: number; readonly count: number } } | null;
  readonly held: { readonly held: number; readonly steps: readonly { readonly streams: number }[] } | null;
  readonly files: readonly { readonly name: string; readonly repeat: number; readonly failure?: string }[];
}

describe('bench', () => {
  test('compares services by the words that each one recognises', { tags: 'slow' }, async () => {
    const [right, wrong] = await Promise.all([serviceSaying(WORDS), serviceSaying(['the', 'hat', 'sat'])]);
    const directory = await recordings(['one', 'two', 'three', 'four', 'five']);
    const { code, stdout, stderr } = await runCommand(
      cli`bench ${directory} --speed max --url ${right.url} --name right --token ${TEST_TOKEN}
        --url ${wrong.url} --name wrong --token ${TEST_TOKEN}`,
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const rows = stdout.split('\n').map(line => line.split('\t'));
    const [titles] = rows;
    expect(titles).toEqual(['', 'right', 'wrong']);
    const cells = Object.fromEntries(rows.map(([title, ...values]) => [title!.trim(), values]));
    expect(cells.WER).toEqual(['0.00 %', '33.33 %']);
    expect(cells['WER above the first']).toEqual(['–', '33.33 % to 33.33 %']);
    expect(cells['Beyond chance']).toEqual(['–', 'yes']);
    expect(cells['Final p50/p95/p99']).toEqual(['–', '–']);
    expect(cells['Failed streams']).toEqual(['0 of 5', '0 of 5']);
    expect(cells['Streams held']).toEqual(['–', '–']);
    expect(cells.Coverage).toEqual(['100.00 %', '100.00 %']);
  });

  test('measures delays at real time, and how many streams are held', { tags: 'slow' }, async () => {
    const [first, second] = await Promise.all([serviceSaying(WORDS), serviceSaying(WORDS)]);
    const directory = await recordings(['one', 'two']);
    const { code, stdout } = await runCommand(
      cli`bench ${directory} --repeats 2 --json --max-streams 3 --max-added-delay 60
        --url ${first.url} --token ${TEST_TOKEN} --url ${second.url} --token ${TEST_TOKEN}`,
    );
    expect(code).toBe(0);
    const lines: Line[] = jsonLines(stdout);
    expect(lines.map(({ service }) => service)).toEqual([first, second].map(streamed));
    for (const { wer, delay, held, files, difference } of lines) {
      expect(wer).toBe(0);
      // Two files, each twice, with two finals.
      expect(delay?.final.count).toBe(8);
      expect(delay?.final.p95).toBeGreaterThan(0);
      expect(files.map(({ name, repeat }) => `${name} ${repeat}`).join()).toBe('one 1,two 1,one 2,two 2');
      expect(held).toMatchObject({ held: 3, isAll: true });
      expect(held?.steps.map(({ streams }) => streams)).toEqual([1, 2, 3]);
      expect(difference === null || difference.low === 0).toBe(true);
    }
    expect(stdout).not.toContain(TEST_TOKEN);
  });

  test('uses the speed of a suite file, unless a flag sets another one', async () => {
    const service = await serviceSaying(WORDS);
    const directory = await recordings(['one']);
    const suite = join(directory, 'suite.yaml');
    const lines = ['defaults: { speed: max }', 'cases:', '  - audio: one.wav'];
    await writeFile(suite, lines.join('\n'));
    const args = ['bench', suite, '--url', service.url, '--token', TEST_TOKEN, '--json'];
    const { code, stdout } = await runCommand(args);
    expect(code).toBe(0);
    const line: Line = JSON.parse(stdout);
    // At the speed of the suite there are no delays, and nothing to compare more streams with.
    expect(line).toMatchObject({ delay: null, held: null, files: [{ speed: 'max' }] });
    const refused = await runCommand([...args, '--max-streams', '2']);
    expect(refused.stderr).toContain('--max-streams requires --speed 1');
    const live: Line = JSON.parse((await runCommand([...args, '--speed', '1', '--max-streams', '0'])).stdout);
    expect(live).toMatchObject({ files: [{ speed: 1 }], held: null });
  });

  test('reports failed streams, holds none of them, and sets the exit code', async () => {
    const service = await serviceSaying(WORDS);
    const directory = await recordings(['one']);
    const { code, stdout, stderr } = await runCommand(
      cli`bench ${directory} --json --max-streams 2 --url ${service.url} --name good --token ${TEST_TOKEN}
        --url ${`${service.url}/`} --name bad --token not-a-token-it-knows`,
    );
    expect(code).toBe(6);
    const [good, bad] = jsonLines(stdout) as [Line, Line];
    expect(good).toMatchObject({ name: 'good', failures: 0, held: { held: 2 } });
    expect(bad).toMatchObject({ name: 'bad', failures: 1, held: { held: 0 }, difference: null });
    // A failed service has no measures.
    expect(bad).not.toHaveProperty('coverage');
    expect(stderr).toMatch(/^bad: one: .+\n$/);
    expect(stderr + stdout).not.toContain('not-a-token-it-knows');
  });

  test('is a gate with a report for each service, as replay is', async () => {
    const [right, wrong] = await Promise.all([serviceSaying(WORDS), serviceSaying(['the', 'hat', 'sat'])]);
    const directory = await recordings(['one', 'two']);
    const [report, history] = [join(directory, 'out/report.json'), join(directory, 'history.jsonl')];
    const one = cli`bench ${directory} --speed max --url ${right.url} --token ${TEST_TOKEN}`;
    const baseline = join(directory, 'baseline.json');
    expect(await runCommand([...one, '--baseline', baseline, '--update', '--max-wer', '0'])).toMatchObject({
      code: 0,
    });
    const both = cli`${one} --name right --url ${wrong.url} --name w/rong --token ${TEST_TOKEN}
      --threshold coverage=50% --baseline ${baseline} --strict --report ${report} --history ${history}`;
    const { code, stdout } = await runCommand(both);
    expect(code).toBe(6);
    expect(stdout).toMatch(/\nright\n✔ coverage [^✘]+\nw\/rong\n.*✘ .*wer/s);
    const [good, bad] = await Promise.all(
      ['right', 'w-rong'].map(name => readReport(join(directory, `out/report-${name}.json`))),
    );
    expect([good?.gate.passed, bad?.gate.passed]).toEqual([true, false]);
    expect(bad?.gate.checks.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['threshold', 'baseline']),
    );
    const lines = (await readFile(history, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ measures }) => measures.wer)).toEqual([0, expect.closeTo(1 / 3, 5)]);
    expect(lines.map(({ suite }) => suite.split(', ')[1])).toEqual(['right', 'w/rong']);
    const json = await runCommand([...both, '--json']);
    expect(jsonLines(json.stdout)).toMatchObject([{ gate: { passed: true } }, { gate: { passed: false } }]);
  });

  test('prints nothing when it is interrupted', async () => {
    const recognizer = createSayingRecognizer(WORDS);
    const service = await startTestService({ recognizer });
    const minute = Array.from({ length: 600 }, (_, index) => index % 4);
    const directory = await scriptedRecordings({ long: { levels: minute } });
    await using command = startCommand(['bench', directory, '--url', service.url, '--token', TEST_TOKEN]);
    await expect.poll(() => recognizer.opened.length).toBe(1);
    command.interrupt();
    expect(await command.done).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('compares with the embedded recogniser, which needs no address', { tags: 'slow' }, async () => {
    const sample = new URL('../../../samples/not-ill-disposed.wav', import.meta.url).pathname;
    const service = await serviceSaying(WORDS);
    const { code, stdout } = await runCommand(
      ['bench', sample, '--url', 'embedded', '--url', service.url, '--speed', 'max', '--json'],
      { env: { RXSCRIBE_TOKEN: TEST_TOKEN } },
    );
    expect(code).toBe(0);
    const [own, other] = jsonLines(stdout) as [Line, Line];
    const measured = { failures: 0, delay: null, held: null };
    expect(own).toMatchObject({ name: 'embedded', service: 'embedded', ...measured });
    expect(own.coverage).toBeGreaterThan(0.5);
    expect(other.service).toBe(streamed(service));
  });

  test.each([
    ['engines go with no service of its own', '--url http://[::1]:1 --token t --pause 1', /--url embedded/],
    ['streams are to be held at another speed', '--speed 2 --max-streams 4', /streams requires --speed 1/],
    ['there are no such rules', '--rules nonsense-9', /nonsense-9/],
    [
      'a baseline would have the words of two services',
      '--url embedded --url embedded --name a --name b --baseline b.json --update',
      /--update requires one service/,
    ],
    [
      'two services have one report',
      '--url embedded --url embedded --name a/b --name a:b --report r.md',
      /the same file/,
    ],
    ['a report has no known format', '--report r.txt', /must end in one of/],
  ])('refuses when %s', async (_, flags, message) => {
    const directory = await recordings(['one']);
    const { code, stderr } = await runCommand(['bench', directory, ...flags.split(' ')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('names a directory without recordings', async () => {
    const directory = await recordings([]);
    const { code, stderr } = await runCommand(['bench', directory]);
    expect(code).toBe(3);
    expect(stderr).toContain('No recording or cassette was found in');
  });
});
