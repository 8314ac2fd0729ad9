import { expect, test } from 'vitest';
import { escapeMarkdown, markdownReport } from '../../../src/replay/report/markdownReport.ts';
import type { GateCheck } from '../../../src/replay/report/report.ts';
import { alignedText, fileOf, reportOf } from './exampleReport.ts';

const words = alignedText('and mister john met mister dashwood', { mister: 'missed', met: null }, 3);
const delay = {
  firstPartial: null,
  word: { p50: 0.4, p95: 0.9, p99: 1, max: 1, count: 6, latest: [] },
  final: { p50: 1, p95: 2, p99: 2, max: 2, count: 2, latest: [] },
};
const worse: GateCheck = {
  file: 'one',
  kind: 'baseline',
  measure: 'wer',
  passed: false,
  message: 'wer 0.50 is above 0.40',
  value: 0.5,
  limit: 0.4,
  baseline: 0.4,
};

/** Returns the cells of the row that starts with a text. */
function row(markdown: string, start: string): string[] {
  const line = markdown.split('\n').find(text => text.startsWith(`| ${start}`))!;
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(cell => cell.trim());
}

test('the gate comes first, with the failed checks', () => {
  const report = reportOf([fileOf('one', words)], { gate: { passed: false, checks: [worse] } });
  const lines = markdownReport(report).split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '## ❌ Failed: samples',
    '',
    '1 run, WER 50.00 %',
    '',
    '- ❌ one: wer 0.50 is above 0.40',
  ]);
  expect(markdownReport(reportOf([]))).toContain('## ✅ Passed: samples');
});

test('the difference to the baseline has its sign', () => {
  const markdown = markdownReport(reportOf([], { gate: { passed: false, checks: [worse] } }));
  const found = ['one', 'wer', '40.00 %', '50.00 %', '+10.00 %', '❌'];
  expect(row(markdown, 'one')).toEqual(found);
});

test('each file is a row with its measures, and the totals come last', () => {
  const files = [fileOf('one', words, { delay, reconnects: 2 }), fileOf('two', [])];
  const markdown = markdownReport(reportOf(files, { reconnects: 2 }));
  const figures =
    'one|0:22.0|50.00 %|25.00 %|0.40 / 0.90 / 1.00 s|1.00 / 2.00 / 2.00 s|4.00 %|20.00 %|100.00 %|2';
  expect(row(markdown, 'one').join('|')).toBe(figures);
  expect(row(markdown, 'two').slice(2, 6)).toEqual(['–', '–', '–', '–']);
  expect(row(markdown, '**All**').at(-1)).toBe('**2**');
  // The delay of first partials was not measured.
  expect(markdown).not.toContain('First partial');
});

test('speakers and keywords of all files are listed', () => {
  const counts = { tokens: 10, hits: 8, substitutions: 1, deletions: 1, insertions: 0 };
  const keywords = { recall: 0.5, keywords: [{ keyword: 'dash|wood', said: 2, heard: 1 }] };
  const more = { keywords, speakers: [{ speaker: 'Ann', wer: 0.2, words: counts }] };
  const markdown = markdownReport(reportOf([fileOf('one', words, more)], more));
  expect(row(markdown, 'Ann')).toEqual(['Ann', '20.00 %', '1', '1', '0', '10']);
  expect(row(markdown, 'dash')).toEqual(['dash\\|wood', '2', '1']);
  expect(row(markdown, 'one')[4]).toBe('50.00 %');
});

test('a rate of agreement with a recording is marked', () => {
  const two = fileOf('two', words, { reference: 'file' });
  const markdown = markdownReport(reportOf([fileOf('one', words, { reference: 'recording' }), two]));
  expect(row(markdown, 'one').slice(2, 4)).toEqual(['50.00 % †', '25.00 % †']);
  expect(row(markdown, 'two').slice(2, 4)).toEqual(['50.00 %', '25.00 %']);
  expect(row(markdown, '**All**')[2]).toBe('**50.00 % †**');
  expect(markdown).toContain('\n† compared with the recorded transcript, not with a reference');
  expect(markdownReport(reportOf([two]))).not.toContain('†');
});

test('the worst files and the most common errors are listed', () => {
  const files = [
    fileOf('good', alignedText('a b', {}, 1)),
    fileOf('bad', words),
    fileOf('cut', [], { failure: 'lost' }),
  ];
  const markdown = markdownReport(reportOf(files));
  expect(markdown).toContain('- cut: lost\n- bad: 50.00 % (2 substituted, 1 deleted, 0 inserted of 6)\n\n');
  expect(row(markdown, 'mister')).toEqual(['mister', 'missed', 'substitution', '2']);
  expect(row(markdown, 'met')).toEqual(['met', '–', 'deletion', '1']);
});

test('texts are escaped for Markdown, HTML and tables', () => {
  const name = 'a|b <img src=x> `c` [d](e) @someone #1\n# heading';
  const report = reportOf([fileOf(name, [], { failure: name })]);
  const markdown = markdownReport(report);
  expect(row(markdown, 'a\\|b')).toHaveLength(6);
  expect(markdown).not.toMatch(/<img|[^\\]`|[^\\]\[|@|[^\\]#1|\n# heading/);
  expect(escapeMarkdown('1 < 2 & *x*')).toBe('1 &lt; 2 &amp; \\*x\\*');
});

test('audio that was not transcribed is listed with its cause', () => {
  const hole = { ts: 1, endTs: 3.5, kind: 'hole', cause: 'no-final' } as const;
  const report = reportOf([fileOf('one', words, { coverageSpans: [hole] }), fileOf('two', words)]);
  const markdown = markdownReport(report);
  expect(row(markdown.slice(markdown.indexOf('### Holes')), 'one')).toEqual([
    ...['one', 'no-final', '0:01.0', '0:03.5'],
  ]);
  expect(markdownReport(reportOf([fileOf('one', words)]))).not.toContain('Holes');
});
