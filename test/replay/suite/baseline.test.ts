import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileReport } from '../../../src/replay/report/report.ts';
import { baselineOf } from '../../../src/replay/suite/baseline.ts';
import { readBaseline, writeBaseline } from '../../../src/replay/suite/baselineFile.ts';
import { compareBaseline } from '../../../src/replay/suite/compareBaseline.ts';
import { type FilePlan, file, report } from './reports.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-baseline-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Errors in 60 segments of ten words: one in each, moved by what a function gives. */
const errors = (more: (segment: number) => number) => Array.from({ length: 60 }, (_, at) => 1 + more(at));
const even = errors(() => 0);
/** As many more here as fewer there, and a few: 10.2 % after 10 %. */
const noisy = errors(segment => (segment === 7 ? 1 : segment % 2 === 0 ? 1 : -1));
const worse = errors(segment => (segment % 3 === 0 ? 1 : 0));

function compared(before: readonly FileReport[], after: readonly FileReport[], tolerances = {}) {
  return compareBaseline(baselineOf(report(before)), baselineOf(report(after)), { seed: 1, tolerances });
}

const failed = (checks: ReturnType<typeof compared>) => checks.filter(({ passed }) => !passed);

describe('a comparison with a baseline', () => {
  test('passes for the same report', () => {
    const same = [file({ errors: even, delays: 0.5, recall: 1 })];
    const checks = compared(same, same);
    expect(checks.map(({ measure }) => measure)).toEqual(
      expect.arrayContaining(['wer', 'cer', 'delay.final.p95', 'upwr', 'coverage', 'keywords.recall']),
    );
    expect(failed(checks)).toEqual([]);
  });

  test('passes for more errors that may be noise', () => {
    const checks = compared([file({ errors: even })], [file({ errors: noisy })]);
    const wer = checks.find(({ measure }) => measure === 'wer')!;
    expect(wer.value).toBeGreaterThan(wer.baseline!);
    expect(wer.interval!.low).toBeLessThan(0);
    expect(failed(checks)).toEqual([]);
  });

  test('fails for more errors that are none', () => {
    const [wer, ...others] = failed(compared([file({ errors: even })], [file({ errors: worse })]));
    expect(wer).toMatchObject({ measure: 'wer', baseline: 0.1, value: expect.closeTo(0.1333, 3) });
    expect(wer!.interval!.low).toBeGreaterThan(0);
    expect(wer!.message).toMatch(
      /wer was 10\.00 % and is 13\.33 %: a difference of \d+\.\d+ to \d+\.\d+ points/,
    );
    expect(others.map(({ measure }) => measure)).toEqual(['cer']);
  });

  test('lets through what a tolerance allows, and no more', () => {
    const pair = [[file({ errors: even })], [file({ errors: worse })]] as const;
    expect(failed(compared(...pair, { wer: 0.05, cer: 0.05 }))).toEqual([]);
    expect(failed(compared(...pair, { wer: 0.001, cer: 0.05 })).map(({ measure }) => measure)).toEqual([
      'wer',
    ]);
  });

  test('cannot tell a difference of one stretch of words', () => {
    const checks = compared([file({ errors: [1] })], [file({ errors: [5], wer: 0.1 })]);
    expect(checks.find(({ measure }) => measure === 'wer')).toMatchObject({
      passed: true,
      message: expect.stringContaining('too few words'),
    });
  });

  test.each([
    ['delay.final.p95', { delays: 1 }, { delays: 1.2 }, { delays: 1.3 }],
    ['coverage', { coverage: 1 }, { coverage: 0.995 }, { coverage: 0.98 }],
    ['keywords.recall', { recall: 1 }, { recall: 0.96 }, { recall: 0.9 }],
    ['violations', { violations: 20 }, { violations: 22 }, { violations: 23 }],
  ] satisfies [string, FilePlan, FilePlan, FilePlan][])(
    'of %s passes within its tolerance and fails beyond',
    (measure, was, within, beyond) => {
      expect(failed(compared([file(was)], [file(within)]))).toEqual([]);
      expect(failed(compared([file(was)], [file(beyond)])).map(check => check.measure)).toContain(measure);
    },
  );

  test('never fails for what got better', () => {
    const before = [file({ errors: worse, delays: 2, coverage: 0.9, recall: 0.5, violations: 30 })];
    expect(failed(compared(before, [file({ errors: even, delays: 0.1, recall: 1 })]))).toEqual([]);
  });

  test('names cases that are new or gone, and compares the others', () => {
    const checks = compared(
      [file({ name: 'a' }), file({ name: 'gone' })],
      [file({ name: 'a' }), file({ name: 'new' })],
    );
    expect(checks.filter(({ measure }) => measure === 'baseline')).toMatchObject([
      { file: 'gone', passed: true, message: 'in the baseline, but not in this run' },
      { file: 'new', passed: true, message: 'new: not in the baseline' },
    ]);
    expect(checks.some(({ measure }) => measure === 'coverage')).toBe(true);
  });

  test('fails where no case is the same', () => {
    expect(failed(compared([file({ name: 'a' })], [file({ name: 'b' })]))).toMatchObject([
      { message: 'no case can be compared with the baseline' },
    ]);
  });

  test('fails for other rules, another alignment, another reference and another speed, and says so', () => {
    const before = baselineOf(report([file({ errors: even })]));
    const against = (after: ReturnType<typeof report>) =>
      compareBaseline(before, baselineOf(after), { seed: 1 }).filter(({ passed }) => !passed)[0]!.message;
    const files = [file({ errors: even })];
    expect(against(report([file({ errors: even, rules: 'plain-1' })]))).toMatch(
      /rules changed from english-1 to plain-1/,
    );
    expect(against(report(files, { alignment: 'sclite' }))).toMatch(
      /alignment changed from levenshtein to sclite/,
    );
    expect(against(report([file({ errors: even, reference: ['other'] })]))).toMatch(/the reference changed/);
    expect(against(report([file()]))).toMatch(/the reference is gone/);
    expect(against(report([file({ errors: even, speed: 'max' })]))).toMatch(/speed changed from 1 to max/);
  });
});

test('a case in another language does not keep the others from being compared', () => {
  const german = file({ name: 'b', errors: even, rules: 'unicode-1:de' });
  const checks = compared([file({ errors: even })], [file({ errors: even }), german]);
  expect(failed(checks)).toEqual([]);
  expect(checks.map(({ measure }) => measure)).toContain('wer');
  const changed = failed(
    compared([file({ errors: even }), german], [file({ errors: worse }), { ...german, rules: 'plain-1' }]),
  );
  expect(changed.map(check => [check.file, check.measure])).toEqual([
    ['b', 'baseline'],
    [undefined, 'wer'],
    [undefined, 'cer'],
  ]);
});

describe('a baseline', () => {
  test('has the means of the repeats, and no stream that failed', () => {
    const { files } = baselineOf(
      report([
        file({ errors: [0, 2], delays: 1 }),
        file({ errors: [1, 2], delays: 2, repeat: 2 }),
        file({ name: 'b', failure: 'refused' }),
      ]),
    );
    expect(Object.keys(files)).toEqual(['a']);
    expect(files.a!.segments).toEqual([
      { errors: 0.5, tokens: 10 },
      { errors: 2, tokens: 10 },
    ]);
    expect(files.a!.measures).toMatchObject({ wer: 0.125, 'delay.final.p95': 1.5 });
    expect(files.a!.measures).not.toHaveProperty('keywords.recall');
  });

  test('is read as it was written, byte for byte the same each time, over an older one', async () => {
    const path = join(directory, 'baseline.json');
    const baseline = baselineOf(report([file({ errors: even, delays: 0.5 }), file({ name: 'b' })]));
    await writeFile(path, 'older');
    await writeBaseline(path, baseline);
    const first = await readFile(path, 'utf8');
    expect(await readBaseline(path)).toEqual(baseline);
    await writeBaseline(path, await readBaseline(path));
    expect(await readFile(path, 'utf8')).toBe(first);
    expect(first).toContain('"segments": "1/10 1/10');
    expect(await readdir(directory)).toEqual(['baseline.json']);
  });

  test('that cannot be written leaves nothing', async () => {
    const baseline = baselineOf(report([file()]));
    await expect(writeBaseline('/nowhere/b.json', baseline)).rejects.toMatchObject({ code: 'store' });
  });

  test.each([
    ['no JSON', '{', /wanted JSON/],
    ['something else', '{"a":1}', /wanted a report/],
    ['null', 'null', /wanted a report/],
    ['a later version', '{"baseline":"rxscribe","version":2}', /wanted version 1, found 2/],
    ['files that are none', '{"baseline":"rxscribe","version":1,"files":[1]}', /read baseline/],
    [
      'segments that are none',
      '{"baseline":"rxscribe","version":1,"suite":"s","alignment":"sclite","files":{"a":{"rules":"plain-1","speed":1,"reference":null,"segments":"1/x","measures":{}}}}',
      /files\/a\/segments/,
    ],
  ])('of %s is refused with what was wanted', async (_, text, message) => {
    const path = join(directory, 'wrong.json');
    await writeFile(path, text);
    const error = await readBaseline(path).catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'unreadable-input' });
    expect(error.message).toMatch(message);
    await rm(path);
  });

  test('that is not there says how to make one', async () => {
    await expect(readBaseline(join(directory, 'none.json'))).rejects.toThrow(/--update makes one/);
  });
});
