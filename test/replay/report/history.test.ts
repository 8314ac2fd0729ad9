import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  appendHistory,
  HISTORY_LIMITS,
  historyEntry,
  readHistory,
} from '../../../src/replay/report/history.ts';
import { historyHtml } from '../../../src/replay/report/html/historyHtml.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { alignedText, fileOf, reportOf } from './exampleReport.ts';

const report = reportOf([fileOf('one', alignedText('a b', { b: 'c' }, 1))]);
const entry = historyEntry(report, 'abc123');
const newPath = async () => join(await temporaryDirectory(), 'new', 'history.jsonl');

test('an entry has the date, what was tested, the main measures, the verdict and the commit', () => {
  expect(entry).toEqual({
    date: '2026-11-21T12:00:00.000Z',
    suite: 'samples',
    tested: '1 run answered by an embedded service',
    commit: 'abc123',
    passed: true,
    measures: { wer: 0.5, cer: 0.25, upwr: 0.04, upsr: 0.2, coverage: 1, violations: 0, reconnects: 0 },
  });
  expect(historyEntry(report)).not.toHaveProperty('commit');
  const gate = { passed: false, isInvalid: true, checks: [] };
  expect(historyEntry({ ...report, gate })).toMatchObject({ passed: false, isInvalid: true });
});

test('each run is appended as one line, also after a line without an end', async () => {
  const path = await newPath();
  expect(await readHistory(path)).toEqual([]);
  await appendHistory(path, entry);
  await writeFile(path, (await readFile(path, 'utf8')).trimEnd());
  await appendHistory(path, { ...entry, passed: false });
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3);
  expect(await readHistory(path)).toEqual([entry, { ...entry, passed: false }]);
});

test.each([
  ['{"date":', /line 2: it is not JSON/],
  ['{"date":"2026-11-21"}', /line 2: must have required properties suite, .*measures/],
  [JSON.stringify({ ...entry, measures: { wer: 'much' } }), /line 2: \/measures\/wer must be number/],
])('the broken line %s is an error with its number', async (line, message) => {
  const path = join(await temporaryDirectory(), 'history.jsonl');
  await writeFile(path, `${JSON.stringify(entry)}\n${line}\n`);
  await expect(readHistory(path)).rejects.toMatchObject({
    code: 'unreadable-input',
    message: expect.stringMatching(message),
  });
});

test('a full history loses its oldest run', async () => {
  const path = join(await temporaryDirectory(), 'history.jsonl');
  const lines = Array.from({ length: HISTORY_LIMITS.runs }, (_, index) =>
    JSON.stringify({ ...entry, commit: `c${index}` }),
  );
  await writeFile(path, lines.join('\n'));
  await appendHistory(path, entry);
  const kept = await readHistory(path);
  expect([kept.length, kept[0]?.commit, kept.at(-1)?.commit]).toEqual([HISTORY_LIMITS.runs, 'c1', 'abc123']);
});

test('a history that is too large is refused', async () => {
  const path = join(await temporaryDirectory(), 'history.jsonl');
  await writeFile(path, Buffer.alloc(HISTORY_LIMITS.bytes + 1, '\n'));
  await expect(readHistory(path)).rejects.toThrow('more than 16777216');
});

test('a page shows a chart of each measure that changed, and a table with the newest run first', () => {
  const worse = { ...entry, commit: undefined, passed: false, measures: { ...entry.measures, wer: 0.75 } };
  const { markup } = historyHtml([entry, { ...entry, suite: 'another' }, worse], 'samples')!;
  const text = 'WER, 2 runs: 50.00 % to 75.00 %, last 75.00 %';
  expect(markup.match(/<svg /g)).toHaveLength(1);
  expect(markup).toContain(`<title>${text}</title><polyline points="5.0,55.0 295.0,5.0"></polyline>`);
  expect(markup.match(/<circle /g)).toHaveLength(2);
  expect(markup).toMatch(/✗ failed.+75\.00\s%.+abc123.+✓ passed.+50\.00\s%/s);
  expect(historyHtml([entry], 'samples')).toBeNull();
});

test('a page shows which runs were invalid, and which of them failed', () => {
  const failed = { ...entry, passed: false };
  const { markup } = historyHtml([entry, failed, { ...failed, isInvalid: true }], 'samples')!;
  expect(markup.match(/[✓✗!] \w+/g)).toEqual(['! invalid', '✗ failed', '✓ passed']);
});
