import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileReport } from '../../../../src/replay/measure/fileReport.ts';
import { baselineOf, readBaseline, writeBaseline } from '../../../../src/replay/suite/baseline/baseline.ts';
import { compareBaseline } from '../../../../src/replay/suite/baseline/compareBaseline.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { type FilePlan, file, report } from '../reports.ts';

/** Returns errors of 60 stretches of ten words: one in each, plus those of a function. */
const errors = (more: (stretch: number) => number) => Array.from({ length: 60 }, (_, at) => 1 + more(at));
const even = errors(() => 0);
/** Changes that cancel out except for a few errors. */
const noisy = errors(stretch => (stretch === 7 ? 1 : stretch % 2 === 0 ? 1 : -1));
const worse = errors(stretch => (stretch % 3 === 0 ? 1 : 0));

/** A cassette, whose delays depend on the client alone. */
const recorded = (plan: FilePlan): FilePlan => ({ errors: [0], service: 'cassette', ...plan });

function compared(before: readonly FileReport[], after: readonly FileReport[]) {
  return compareBaseline(baselineOf(report(before)), baselineOf(report(after)));
}

const failed = (checks: ReturnType<typeof compared>) => checks.filter(({ passed }) => !passed);
const changed = (before: FilePlan, after: FilePlan) => failed(compared([file(before)], [file(after)]));

describe('a comparison with a baseline', () => {
  test('passes for the same report', () => {
    const same = [file({ errors: even, delays: 0.5, recall: 1 })];
    const checks = compared(same, same);
    expect(checks.map(({ measure }) => measure)).toEqual(
      expect.arrayContaining(['wer', 'cer', 'delay.final.p95', 'upwr', 'coverage', 'keywords.recall']),
    );
    expect(failed(checks)).toEqual([]);
  });

  test('passes when more errors may be chance, and fails when they are not', () => {
    const checks = compared([file({ errors: even })], [file({ errors: noisy })]);
    const wer = checks.find(({ measure }) => measure === 'wer')!;
    expect(wer.value).toBeGreaterThan(wer.baseline!);
    expect(failed(checks)).toEqual([]);
    expect(changed({ errors: even }, { errors: worse })).toMatchObject([
      {
        baseline: 0.1,
        value: expect.closeTo(0.1333, 3),
        message:
          'wer was 10.00 % and is 13.33 %: 20 words newly wrong, 0 no longer, by chance in 0.00 % of such runs',
      },
    ]);
  });

  test('counts new errors up to those that chance explains', () => {
    const few = compared([file({ errors: [1] })], [file({ errors: [4] })]);
    expect(few.find(({ measure }) => measure === 'wer')).toMatchObject({
      passed: true,
      message:
        'wer was 10.00 % and is 40.00 %: 3 words newly wrong, 0 no longer, by chance in 12.50 % of such runs',
    });
    const [ofAll, ofCase] = changed({ errors: [1] }, { errors: [10] });
    expect(ofAll).toMatchObject({
      message:
        'wer was 10.00 % and is 100.00 %: 9 words newly wrong, 0 no longer, by chance in 0.20 % of such runs',
    });
    expect(ofCase).toMatchObject({ file: 'a', measure: 'wer' });
    const newly = (errors: readonly number[]) => changed({ errors: [0, 0, 1] }, { errors })[0];
    expect(newly([4, 0, 1])).toBeUndefined();
    expect(newly([5, 0, 1])).toMatchObject({ measure: 'wer' });
    expect(newly([5, 0, 1])).not.toHaveProperty('file');
  });

  test('of thousands of changes has a chance, too', () => {
    const many = (of: number) => Array.from({ length: 400 }, (_, at) => (at % 2 === of ? 10 : 0));
    expect(changed({ errors: many(0) }, { errors: many(1) })).toEqual([]);
  });

  test('names each changed word, and fails for a new one only when it is strict', () => {
    const [before, after] = [[file({ errors: [1, 0] })], [file({ errors: [0, 2] })]].map(files =>
      baselineOf(report(files)),
    );
    const ofCase = (isStrict: boolean) =>
      compareBaseline(before!, after!, { isStrict }).filter(
        check => check.file === 'a' && check.measure === 'wer',
      );
    const words = /newly wrong: 10: w10 → x, 11: w11 → x; no longer wrong: 0: w0 → x$/;
    expect(ofCase(false)).toMatchObject([{ passed: true, message: expect.stringMatching(words) }]);
    expect(ofCase(true)).toMatchObject([{ passed: false, message: expect.stringMatching(words) }]);
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
  });

  test('names other words of a cassette, which should be the same in each run, and fails for more wrong ones', () => {
    const tape = (plan: FilePlan) => [file({ service: 'cassette', ...plan })];
    const was = tape({ errors: even });
    const ofCase = (is: readonly FileReport[]) =>
      compared(was, is).filter(check => check.file === 'a' && check.measure === 'wer');
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
      words: { tokens: 0, hits: 0, substitutions: 0, deletions: 0, insertions: errors },
    });
    expect(failed(compared([silence(0)], [silence(0)]))).toEqual([]);
    const checks = failed(compared([silence(0)], [silence(7)]));
    expect(checks.map(({ file, measure }) => [file, measure])).toEqual([
      [undefined, 'wer'],
      ['a', 'wer'],
    ]);
    expect(checks[0]!.message).toMatch(/^wer was 0\.00 % and is 100\.00 %/);
  });

  test('fails for any worse measure of a cassette, and names a better one', () => {
    const of = (plan: FilePlan) =>
      recorded({ delays: 1, coverage: 0.99, recall: 0.5, reconnects: 3, ...plan });
    const one = (plan: FilePlan) =>
      compared([file(of({}))], [file(of(plan))]).filter(each => each.file === 'a');
    expect(one({})).toEqual([]);
    expect(one({ delays: 1.0004 })).toEqual([]);
    expect(one({ reconnects: 4 })).toMatchObject([
      { measure: 'reconnects', passed: false, value: 4, baseline: 3, message: 'reconnects was 3 and is 4' },
    ]);
    expect(one({ reconnects: 2 })).toMatchObject([{ measure: 'reconnects', passed: true }]);
    expect(one({ coverage: 0.98 })).toMatchObject([{ measure: 'coverage', passed: false }]);
    expect(one({ recall: 0.4 })).toMatchObject([{ measure: 'keywords.recall', passed: false }]);
    expect(failed(one({ delays: 1.01 })).map(({ measure }) => measure)).toContain('delay.final.p95');
    expect(failed(one({ delays: undefined }))).toContainEqual(
      expect.objectContaining({
        value: null,
        baseline: 1,
        message: 'delay.final.p95 was 1.00 s, and cannot be measured now',
      }),
    );
    const added = compared([file(recorded({}))], [file(recorded({ recall: 1 }))]);
    expect(added).toContainEqual(
      expect.objectContaining({
        passed: true,
        message: 'keywords.recall is 100.00 %, and not in the baseline',
      }),
    );
  });

  test('shows the measures of a live service beside the earlier ones, and never fails for them', () => {
    const before = [file({ delays: 1, reconnects: 3 }), file({ name: 'b', delays: 2, reconnects: 9 })];
    const after = [file({ delays: 7, reconnects: 30 }), file({ name: 'b', coverage: 0.1 })];
    const checks = compared(before, after);
    expect(failed(checks)).toEqual([]);
    expect(checks.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'delay.final.p95 was 1.00 s and is 7.00 s',
        'reconnects was 6 and is 15, as means of 2 cases',
      ]),
    );
  });

  test('never fails for an improvement', () => {
    const before = [file({ errors: worse, delays: 2, coverage: 0.9, recall: 0.5, reconnects: 30 })];
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
    ]);
    expect(checks.some(({ measure }) => measure === 'coverage')).toBe(true);
    // Another suite does not have to contain the case.
    const part = compareBaseline(baselineOf(report(before)), baselineOf(report(after, { suite: 'a' })));
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

  test('fails for other rules, reference or speed, and names the change', () => {
    const before = baselineOf(report([file({ errors: even })]));
    const against = (after: ReturnType<typeof report>) =>
      compareBaseline(before, baselineOf(after)).filter(({ passed }) => !passed)[0]!.message;
    expect(against(report([file({ errors: even, rules: 'plain-1' })]))).toMatch(
      /rules changed from english-1 to plain-1/,
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
  const both = failed(
    compared([file({ errors: even }), german], [file({ errors: worse }), { ...german, rules: 'plain-1' }]),
  );
  expect(both.map(check => [check.file, check.measure])).toEqual([
    ['b', 'baseline'],
    [undefined, 'wer'],
  ]);
});

describe('a baseline', () => {
  test('has the words and measures of the files, without failed streams', () => {
    const { files } = baselineOf(
      report([
        file({ errors: [0, 2], delays: 1 }),
        { ...file({ name: 'b', failure: 'refused' }), isExpected: true },
      ]),
    );
    expect(Object.keys(files)).toEqual(['a']);
    expect(files.a).toMatchObject({
      words: { tokens: 20, errors: 2 },
      errors: ['10: w10 → x', '11: w11 → x'],
      measures: { 'delay.final.p95': 1 },
    });
    expect(files.a!.measures).not.toHaveProperty('keywords.recall');
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
    expect(await readdir(directory)).toEqual(['baseline.json']);
  });

  test('that cannot be written leaves no file', async () => {
    const baseline = baselineOf(report([file()]));
    await expect(writeBaseline('/nowhere/b.json', baseline)).rejects.toMatchObject({ code: 'store' });
  });

  test.each([
    ['no JSON', '{', /it is not a file that --update wrote/],
    ['something else', '{"a":1}', /it is not a file that --update wrote/],
    [
      'a later version',
      '{"baseline":"rxscribe","version":2}',
      /it has version 2, not 1\. Run the suite with --update/,
    ],
    ['files that are none', '{"baseline":"rxscribe","version":1,"files":[1]}', /Cannot read the baseline/],
    [
      'words that are none',
      '{"baseline":"rxscribe","version":1,"suite":"s","files":{"a":{"rules":"plain-1","speed":1,"reference":null,"heard":null,"words":1,"errors":[],"measures":{}}}}',
      /files\/a\/words/,
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
