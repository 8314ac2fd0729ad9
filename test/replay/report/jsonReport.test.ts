import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonReport, parseReport, readReport } from '../../../src/replay/report/jsonReport.ts';
import { alignedText, countsOf, fileOf, reportOf } from './exampleReport.ts';

const report = reportOf([
  fileOf('one', alignedText('a b c', { b: 'd', c: null }, 1), {
    coverageSpans: [{ ts: 0, endTs: 1, kind: 'hole', cause: 'gave-up' }],
    brokenCues: [{ ts: 0, endTs: 1, text: 'a d', rules: ['short'] }],
    delay: {
      firstPartial: null,
      word: { p50: 1, p95: 2, p99: 3, max: 4, count: 2, latest: [] },
      final: null,
    },
    speakers: [{ speaker: 'Ann', wer: 0.5, words: countsOf(alignedText('a b', { b: 'd' }, 1)) }],
    keywords: { recall: 0.5, keywords: [{ keyword: 'b', said: 2, heard: 1 }] },
    violationsByRule: { short: 1 },
    speed: 'max',
  }),
]);

test('a report is read back as it was written', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'report-')), 'report.json');
  await writeFile(path, jsonReport(report));
  expect(await readReport(path)).toEqual(report);
});

test('measures are at the top of a report and of each of its files', () => {
  const names = ['wer', 'cer', 'delay', 'upwr', 'upsr', 'coverage', 'violations'];
  const json = JSON.parse(jsonReport(report));
  for (const measured of [json, json.files[0]])
    expect(Object.keys(measured)).toEqual(expect.arrayContaining(names));
});

test.each([
  ['no JSON', 'secret words', 'it is not JSON.'],
  ['other JSON', '[]', 'it is not a report of rxscribe replay.'],
  ['null', 'null', 'it is not a report of rxscribe replay.'],
  ['a later version', JSON.stringify({ ...report, version: 2 }), 'it has version 2, not 1. Run'],
  ['a measure of another kind', JSON.stringify({ ...report, wer: 'low' }), 'it is not a valid report: /wer '],
  ['a nameless file', JSON.stringify({ ...report, files: [{}] }), 'it is not a valid report: /files/0 '],
])('%s is reported', (_, text, message) => {
  expect(() => parseReport(text, 'base.json')).toThrow(
    expect.objectContaining({
      code: 'unreadable-input',
      message: expect.stringContaining(`Cannot read the report 'base.json': ${message}`),
    }),
  );
});

test('a missing file is reported, and an abort rejects with its reason', async () => {
  await expect(readReport('/nowhere/base.json')).rejects.toMatchObject({ code: 'unreadable-input' });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(readReport('/nowhere/base.json', { signal })).rejects.toThrow('enough');
});

test('additions of later programs are accepted', () => {
  expect(parseReport(JSON.stringify({ ...report, later: 1 }), 'x')).toMatchObject({ later: 1 });
});
