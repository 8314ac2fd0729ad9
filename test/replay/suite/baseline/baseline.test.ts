import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileReport } from '../../../../src/replay/measure/fileReport.ts';
import { baselineOf } from '../../../../src/replay/suite/baseline/baseline.ts';
import { readBaseline, writeBaseline } from '../../../../src/replay/suite/baseline/baselineFile.ts';
import { compareBaseline } from '../../../../src/replay/suite/baseline/compareBaseline.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { type FilePlan, file, report } from '../reports.ts';

/** Returns errors of 60 segments of ten words: one in each, plus those of a function. */
const errors = (more: (segment: number) => number) => Array.from({ length: 60 }, (_, at) => 1 + more(at));
const even = errors(() => 0);
/** Changes that cancel out except for a few errors: 10.2 % after 10 %. */
const noisy = errors(segment => (segment === 7 ? 1 : segment % 2 === 0 ? 1 : -1));
const worse = errors(segment => (segment % 3 === 0 ? 1 : 0));

/** A cassette, whose delays depend on the client alone. */
const recorded = (delays: number): FilePlan => ({ delays, service: 'cassette', errors: [0] });

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

  test('passes when more errors may be noise', () => {
    const checks = compared([file({ errors: even })], [file({ errors: noisy })]);
    const wer = checks.find(({ measure }) => measure === 'wer')!;
    expect(wer.value).toBeGreaterThan(wer.baseline!);
    expect(wer.interval!.low).toBeLessThan(0);
    expect(failed(checks)).toEqual([]);
  });

  test('fails when more errors are significant', () => {
    const [wer, ...others] = failed(compared([file({ errors: even })], [file({ errors: worse })]));
    expect(wer).toMatchObject({ measure: 'wer', baseline: 0.1, value: expect.closeTo(0.1333, 3) });
    expect(wer!.interval!.low).toBeGreaterThan(0);
    expect(wer!.message).toMatch(
      /wer was 10\.00 % and is 13\.33 %: a difference of \d+\.\d+ to \d+\.\d+ points/,
    );
    expect(others.map(({ measure }) => measure)).toEqual(['cer']);
  });

  test('allows as much as a tolerance, and no more', () => {
    const pair = [[file({ errors: even })], [file({ errors: worse })]] as const;
    expect(failed(compared(...pair, { wer: 0.05, cer: 0.05 }))).toEqual([]);
    expect(failed(compared(...pair, { wer: 0.001, cer: 0.05 })).map(({ measure }) => measure)).toEqual([
      'wer',
    ]);
  });

  test('of too few words for an interval fails for new errors beyond chance', () => {
    const [few, many] = [[file({ errors: [4] })], [file({ errors: [10] })]];
    expect(compared([file({ errors: [1] })], few).find(({ measure }) => measure === 'wer')).toMatchObject({
      passed: true,
      message:
        'wer was 10.00 % and is 40.00 %: 3 words newly wrong, 0 no longer, by chance in 12.50 % of such runs',
    });
    const [ofAll, ofCase] = failed(compared([file({ errors: [1] })], many));
    expect(ofAll).toMatchObject({
      message:
        'wer was 10.00 % and is 100.00 %: 9 words newly wrong, 0 no longer, by chance in 0.20 % of such runs',
    });
    expect(ofCase).toMatchObject({ file: 'a', measure: 'wer' });
    expect(failed(compared([file({ errors: [1] })], few, { wer: 0.2 }))).toMatchObject([{ limit: 0.3 }]);
    const newly = (errors: readonly number[]) =>
      failed(compared([file({ errors: [0, 0, 1] })], [file({ errors })])).filter(
        ({ file: of, measure }) => of === undefined && measure === 'wer',
      );
    expect(newly([4, 0, 1])).toEqual([]);
    expect(newly([5, 0, 1])).toMatchObject([{ measure: 'wer' }]);
  });

  test('names each changed word, and fails for a new one only when it is strict', () => {
    const [before, after] = [[file({ errors: [1, 0] })], [file({ errors: [0, 2] })]].map(files =>
      baselineOf(report(files)),
    );
    const ofCase = (isStrict: boolean) =>
      compareBaseline(before!, after!, { seed: 1, isStrict }).filter(
        check => check.file === 'a' && check.measure === 'wer',
      );
    const words = /newly wrong: 10: w10 → x, 11: w11 → x; no longer wrong: 0: w0 → x$/;
    expect(ofCase(false)).toMatchObject([{ passed: true, message: expect.stringMatching(words) }]);
    expect(ofCase(true)).toMatchObject([{ passed: false, message: expect.stringMatching(words) }]);
  });

  test('passes for the characters of one word among few, which may be noise', () => {
    const said = (errors: readonly number[]) => [file({ errors })];
    expect(failed(compared(said([0, 0, 0]), said([0, 1, 0])))).toEqual([]);
    expect(failed(compared(said([0, 0, 0]), said([4, 0, 0]))).map(({ measure }) => measure)).toContain('cer');
  });

  test('fails for single cases without any words, whatever the others', () => {
    const suite = (errorsOf: (at: number) => readonly number[]) =>
      Array.from({ length: 200 }, (_, at) => file({ name: `${at}`, errors: errorsOf(at) }));
    const was = suite(at => [at % 4, 1]);
    const is = suite(at => (at < 3 ? [10, 10] : [at % 4, at % 2]));
    const checks = failed(compared(was, is));
    expect(checks).toMatchObject([
      { file: '0', measure: 'wer', value: 1, baseline: 0.05, limit: 0.35 },
      { file: '1' },
      { file: '2' },
    ]);
    expect(checks[0]!.message).toMatch(
      /^wer was 5\.00 % and is 100\.00 %: more than 6 words are wrong besides the earlier errors; newly wrong: 0: w0 → x, .*, 19: w19 → x$/,
    );
    expect(failed(compared(was, is, { 'case.wer': 1 }))).toEqual([]);
  });

  test('names other words of a cassette, which should be the same in each run, and fails for more wrong ones', () => {
    const tape = (plan: FilePlan) => [file({ service: 'cassette', ...plan })];
    const was = tape({ errors: even });
    const ofCase = (is: readonly FileReport[]) => compared(was, is).filter(check => check.file === 'a');
    expect(ofCase(tape({ errors: even }))).toEqual([]);
    expect(ofCase(tape({ errors: even, heard: ['all', 'said'] }))).toMatchObject([
      { passed: true, message: expect.stringContaining('a cassette gives the same words in each run') },
    ]);
    const upper = tape({ errors: even }).map(of => ({
      ...of,
      alignment: of.alignment.map(word => ({ ...word, hypothesis: word.hypothesis?.toUpperCase() ?? '' })),
    }));
    expect(ofCase(upper)).toMatchObject([
      { passed: true, message: expect.stringContaining('the same words') },
    ]);
    const one = errors(segment => (segment === 7 ? 1 : 0));
    expect(ofCase(tape({ errors: one, heard: ['all'] }))).toMatchObject([{ passed: false }]);
    // With a service, this is noise.
    expect(compared([file({ errors: even })], [file({ errors: one })]).every(({ passed }) => passed)).toBe(
      true,
    );
  });

  test('fails for invented words in silence', () => {
    const silence = (errors: number) => ({
      ...file({
        errors: [errors],
        reference: [],
        heard: Array.from({ length: errors }, () => 'more'),
        wer: Number(errors > 0),
      }),
      segments: [{ tokens: 0, errors }],
    });
    expect(failed(compared([silence(0)], [silence(0)]))).toEqual([]);
    const checks = failed(compared([silence(0)], [silence(7)]));
    expect(checks.map(({ file, measure }) => [file, measure])).toEqual([
      [undefined, 'wer'],
      ['a', 'wer'],
    ]);
    expect(checks[0]!.message).toMatch(/^wer was 0\.00 % and is 100\.00 %/);
  });

  test('fails for a measure without a value, and names a new one', () => {
    const before = [file({ delays: 0.4, recall: 1 }), file({ name: 'b', delays: 0.5 })];
    const after = [file({}), file({ name: 'b', delays: 0.5, recall: 1 })];
    const checks = compared(before, after);
    const ofMeasure = (path: string) => failed(checks).filter(({ measure }) => measure === path);
    expect(ofMeasure('delay.final.p95')).toMatchObject([
      {
        file: 'a',
        value: null,
        baseline: 0.4,
        message: 'delay.final.p95 was 0.40 s, and cannot be measured now',
      },
    ]);
    expect(ofMeasure('keywords.recall')).toHaveLength(1);
    expect(checks).toContainEqual(
      expect.objectContaining({
        file: 'b',
        passed: true,
        message: 'keywords.recall is 100.00 %, and not in the baseline',
      }),
    );
  });

  test.each([
    ['delay.final.p95', recorded(1), recorded(1.2), recorded(1.3)],
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

  test('shows the totals of the reports, not means over cases', () => {
    const files = [file({ violations: 3 }), file({ name: 'b', violations: 9 })];
    const before = baselineOf(report(files, { upwr: 2.88 }));
    const checks = compareBaseline(before, baselineOf(report(files, { upwr: 2.9 })), { seed: 1 });
    const messages = checks.map(({ message }) => message);
    expect(messages).toContain('upwr was 288.00 % and is 290.00 %');
    expect(messages).toContain('violations was 12 and is 12');
    // With other cases, or another number of runs, the totals cannot be compared.
    const more = baselineOf(report([...files, file({ name: 'c' })], { upwr: 5 }));
    const means = compareBaseline(before, more, { seed: 1 }).map(({ message }) => message);
    expect(means).toContain('upwr was 10.00 % and is 10.00 %, as means of 2 cases');
    const again = files.map(one => ({ ...one, repeat: 2 }));
    const twice = baselineOf(report([...files, ...again], { upwr: 3, violations: 24 }));
    const counts = compareBaseline(before, twice, { seed: 1 }).map(({ message }) => message);
    expect(counts).toContain('violations was 6 and is 6, as means of 2 cases');
    expect(counts).toContain('upwr was 288.00 % and is 300.00 %');
  });

  test('uses the spread between the runs of a service for its delays and partials', () => {
    const of = (runs: number, delays: number, deviation = 0) => {
      const spread = { min: delays, median: delays, max: delays, deviation };
      const all = { 'delay.final.p50': spread };
      return baselineOf(report([file({ delays })], { spread: { runs, all, files: {} } }));
    };
    const judged = (before: ReturnType<typeof of>, after: ReturnType<typeof of>) => {
      const checks = compareBaseline(before, after, { seed: 1 });
      return checks.find(({ measure }) => measure === 'delay.final.p50')!.passed;
    };
    // Two sets of five runs: 5.04 × 0.02 s × √(2/5) = 0.064 s.
    expect(judged(of(5, 0.8, 0.02), of(5, 0.86, 0.02))).toBe(true);
    expect(judged(of(5, 0.8, 0.02), of(5, 0.88, 0.02))).toBe(false);
    // The more the runs differ, the more it takes; a single run is compared with the spread of the baseline.
    expect(judged(of(5, 0.8, 0.1), of(5, 0.88, 0.1))).toBe(true);
    expect(judged(of(5, 0.8, 0.02), of(1, 0.95))).toBe(true);
    expect(judged(of(5, 0.8, 0.02), of(1, 1.1))).toBe(false);
    // Without a spread, only half as much again is worse.
    expect(judged(of(1, 2), of(1, 2.9))).toBe(true);
    expect(judged(of(1, 2), of(1, 3.1))).toBe(false);
  });

  test('has a note when the spread of a service is not known, but not for cassettes', () => {
    const notes = (service: string) =>
      compared([file({ errors: even, service })], [file({ errors: even, service })]).filter(({ message }) =>
        message.includes('--runs 5'),
      );
    expect(notes('embedded')).toMatchObject([{ passed: true }]);
    expect(notes('cassette')).toEqual([]);
  });

  test('never fails for an improvement', () => {
    const before = [file({ errors: worse, delays: 2, coverage: 0.9, recall: 0.5, violations: 30 })];
    expect(failed(compared(before, [file({ errors: even, delays: 0.1, recall: 1 })]))).toEqual([]);
  });

  test('names new cases, fails for missing ones, and compares the others', () => {
    const [before, after] = [
      [file({ name: 'a' }), file({ name: 'gone' })],
      [file({ name: 'a' }), file({ name: 'new' })],
    ];
    const checks = compared(before, after);
    expect(checks.filter(({ measure }) => measure === 'baseline')).toMatchObject([
      { file: 'gone', passed: false, message: expect.stringContaining('not measured now') },
      { file: 'new', passed: true, message: 'new: not in the baseline' },
      { passed: true, message: expect.stringContaining('--runs 5') },
    ]);
    expect(checks.some(({ measure }) => measure === 'coverage')).toBe(true);
    // Another suite does not have to contain the case.
    const part = compareBaseline(baselineOf(report(before)), baselineOf(report(after, { suite: 'a' })), {
      seed: 1,
    });
    expect(failed(part)).toEqual([]);
    expect(part[0]!.message).toBe('in the baseline of calls, but not in a');
  });

  test('has the same reference in another case, unless the rules keep the case', () => {
    const said = (word: string, rules: string) => [file({ errors: [1], reference: [word], rules })];
    const changes = (rules: string) =>
      compared(said('Word', rules), said('WORD', rules)).filter(({ message }) =>
        message.includes('reference changed'),
      );
    expect(changes('english-1')).toEqual([]);
    expect(changes('plain-1')).toMatchObject([{ passed: false }]);
  });

  test('fails without a common case', () => {
    expect(failed(compared([file({ name: 'a' })], [file({ name: 'b' })]))).toMatchObject([
      { file: 'a' },
      { message: 'no case can be compared with the baseline' },
    ]);
  });

  test('fails for other rules, alignment, reference or speed, and names the change', () => {
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

test('compares the others when a case has another language', () => {
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
  test('has the means of the repeats, without failed streams', () => {
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

  test('has the mean of repeats of which only some have words in silence', () => {
    const silence = (repeat: number, segments: FileReport['segments']) => ({
      ...file({ repeat, errors: [1], reference: [] }),
      segments,
    });
    const heard = [{ tokens: 0, errors: 3 }];
    const nothing = [{ tokens: 0, errors: 0 }];
    const segments = (files: readonly FileReport[]) => baselineOf(report(files)).files.a!.segments;
    expect(segments([silence(1, heard), silence(2, nothing)])).toEqual([{ tokens: 0, errors: 1.5 }]);
    expect(segments([silence(1, nothing), silence(2, heard)])).toEqual([{ tokens: 0, errors: 1.5 }]);
    expect(segments([silence(1, nothing)])).toEqual([{ tokens: 0, errors: 0 }]);
  });

  test('is written reproducibly over an older one, and read back', async () => {
    const directory = await temporaryDirectory();
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

  test('that cannot be written leaves no file', async () => {
    const baseline = baselineOf(report([file()]));
    await expect(writeBaseline('/nowhere/b.json', baseline)).rejects.toMatchObject({ code: 'store' });
  });

  test.each([
    ['no JSON', '{', /it is not JSON/],
    ['something else', '{"a":1}', /it is not a report/],
    ['null', 'null', /it is not a report/],
    [
      'a later version',
      '{"baseline":"rxscribe","version":2}',
      /it has version 2, not 1\. Run the suite with --update/,
    ],
    ['files that are none', '{"baseline":"rxscribe","version":1,"files":[1]}', /Cannot read the baseline/],
    [
      'segments that are none',
      '{"baseline":"rxscribe","version":1,"suite":"s","alignment":"sclite","files":{"a":{"rules":"plain-1","speed":1,"reference":null,"heard":null,"segments":"1/x","errors":[],"measures":{}}},"all":{"streams":1,"measures":{}}}',
      /files\/a\/segments/,
    ],
  ])('of %s is refused with the reason', async (_, text, message) => {
    const path = join(await temporaryDirectory(), 'wrong.json');
    await writeFile(path, text);
    const error = await readBaseline(path).catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'unreadable-input' });
    expect(error.message).toMatch(message);
  });

  test('that does not exist gives advice to write one', async () => {
    await expect(readBaseline('/nowhere/none.json')).rejects.toThrow(
      /Run the suite with --update to write one\.$/,
    );
  });
});
