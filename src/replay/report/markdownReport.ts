import { markdownTable } from 'markdown-table';
import { counted } from '../../base/text.ts';
import { commonErrorsTable, groupTables, holesTable, worstFiles } from './commonErrors.ts';
import {
  AGREEMENT_NOTE,
  agreementMark,
  clock,
  countFailed,
  interval,
  isAgreement,
  measureText,
  NOTHING,
  percent,
  subjectOf,
  testedText,
  verdictOf,
} from './figures.ts';
import { runColumns } from './measureColumns.ts';
import type { GateCheck, Report, ReportTable } from './report.ts';

const MARKS = { passed: '✅', invalid: '⚠️', failed: '❌' } as const;

/** Maximum number of rows in a table, because hosts truncate long comments. */
const MAX_ROWS = 200;

/**
 * Formats a report as Markdown for a pull request: the gate, differences from the baseline, all files, and the worst
 * ones.
 */
export function markdownReport(report: Report): string {
  const { files } = report;
  const parts = [
    heading(report),
    failedChecks(report),
    baselineTable(report),
    filesTable(report),
    ...groupTables(report).map(section),
    section(holesTable(report)),
    isAgreement(report) ? AGREEMENT_NOTE : '',
    worst(report),
    section(commonErrorsTable(files)),
    `${escapeMarkdown(testedText(files))}.`,
    `${escapeMarkdown(`Rules ${report.rules.join(', ')}; ${report.createdAt}`)}.`,
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

function heading(report: Report): string {
  const { suite, gate, files, wer, werInterval } = report;
  const failed = countFailed(files);
  const runs = `${counted(files.length, 'run')}${failed > 0 ? `, ${failed} failed` : ''}`;
  const rate = wer === null ? '' : `, WER ${percent(wer)}${agreementMark(report)}`;
  const confidence = werInterval ? ` (95 %: ${interval(werInterval)})` : '';
  const facts = `${runs}${rate}${confidence}`;
  return `## ${{ passed: '✅ Passed', invalid: '⚠️ Invalid', failed: '❌ Failed' }[verdictOf(gate)]}: ${escapeMarkdown(suite)}\n\n${facts}`;
}

function failedChecks({ gate }: Report): string {
  const failed = gate.checks.filter(({ passed }) => !passed);
  const text = (check: GateCheck) => escapeMarkdown(`${subjectOf(check)}: ${check.message}`);
  return failed.map(check => `- ${MARKS[verdictOf(check)]} ${text(check)}`).join('\n');
}

function baselineTable({ gate }: Report): string {
  const rows = gate.checks.flatMap(check => {
    const { baseline, value, measure } = check;
    if (baseline === undefined) return [];
    const now = value === null ? NOTHING : measureText(measure, value);
    const change = value === null ? NOTHING : difference(measure, value - baseline);
    const subject = escapeMarkdown(subjectOf(check));
    return [[subject, measure, measureText(measure, baseline), now, change, MARKS[verdictOf(check)]]];
  });
  if (rows.length === 0) return '';
  const header = ['File', 'Measure', 'Baseline', 'Now', 'Difference', ''];
  const table = markdownTable([header, ...rows.slice(0, MAX_ROWS)], {
    align: ['l', 'l', 'r', 'r', 'r', 'c'],
  });
  return `### Against the baseline\n\n${table}${rest(rows.length)}`;
}

function difference(measure: string, value: number): string {
  return `${value > 0 ? '+' : ''}${measureText(measure, value)}`;
}

function filesTable(report: Report): string {
  const { files } = report;
  const columns = runColumns(report);
  const rows = files.map(file => {
    const [name, audio] = [file.name, clock(file.seconds)];
    if (file.failure === undefined) return [name, audio, ...columns.map(({ text }) => text(file))];
    return [`${name}: ${file.isExpected ? '✅' : '❌'} ${file.failure}`, audio];
  });
  const seconds = clock(files.reduce((sum, file) => sum + file.seconds, 0));
  const last = ['All', seconds, ...columns.map(({ text }) => text(report))];
  const titles = ['File', 'Audio', ...columns.map(({ title }) => title)];
  return section({ title: 'Files', titles, rows, last, texts: 1 });
}

/** Formats a section with a table; an empty text without rows. */
function section({ title, titles, rows, last, texts }: ReportTable): string {
  if (rows.length === 0 && !last) return '';
  const escaped = rows
    .slice(0, MAX_ROWS)
    .map(row => row.map((cell, index) => (index < texts ? escapeMarkdown(cell) : cell)));
  const table = markdownTable([[...titles], ...escaped, ...(last ? [last.map(cell => `**${cell}**`)] : [])], {
    align: titles.map((_, index) => (index < texts ? 'l' : 'r')),
  });
  return `### ${title}\n\n${table}${rest(rows.length)}`;
}

function worst({ files }: Report): string {
  if (files.length < 2) return '';
  const lines = worstFiles(files).map(file => {
    const { words, failure, wer } = file;
    const name = escapeMarkdown(file.name);
    if (failure !== undefined) return `- ${name}: ${escapeMarkdown(failure)}`;
    const counts = words
      ? ` (${words.substitutions} substituted, ${words.deletions} deleted, ${words.insertions} inserted of ${words.tokens})`
      : '';
    return `- ${name}: ${percent(wer)}${agreementMark(file)}${counts}`;
  });
  return lines.length === 0 ? '' : `### Worst files\n\n${lines.join('\n')}`;
}

function rest(count: number): string {
  return count > MAX_ROWS ? `\n\nand ${count - MAX_ROWS} more` : '';
}

/** Escapes text for Markdown, its tables, HTML, and hosts that link names and numbers. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~$]/g, '\\$&')
    .replaceAll('@', '&#64;');
}
