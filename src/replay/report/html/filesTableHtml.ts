import type { FileReport } from '../../measure/fileReport.ts';
import { AGREEMENT_NOTE, isAgreement } from '../agreement.ts';
import { clock, titlesOf } from '../figures.ts';
import { comparedTables } from '../groupTables.ts';
import { filledColumns, MEASURE_COLUMNS, type MeasureColumn, measureColumns } from '../measureColumns.ts';
import type { Report } from '../report.ts';
import type { ReportTable } from '../reportTable.ts';
import { type Html, html } from './html.ts';

const COLUMNS = measureColumns(
  ...(['wer', 'cer', 'substitutions', 'deletions', 'insertions', 'keywords'] as const),
  ...(['firstPartial', 'word', 'final'] as const),
  ...(['upwr', 'upsr', 'coverage', 'violations', 'reconnects'] as const),
);

/** Renders the sortable table of all runs. */
export function filesTableHtml(report: Report): Html {
  const { files } = report;
  const titleOf = titlesOf(files);
  const columns = filledColumns(COLUMNS, report);
  const titles = ['File', 'Audio', ...columns.map(({ title }) => title)];
  return html`<section><h2>Files</h2>${scrolled(
    'Files',
    html`<table class="sortable">
<thead><tr>${titles.map(head)}</tr></thead>
<tbody>${files.map((file, index) => row(file, columns, { index, title: titleOf(file) }))}</tbody></table>`,
  )}${isAgreement(report) ? AGREEMENT_HTML : null}</section>`;
}

function head(title: string, index: number): Html {
  return html`<th aria-sort="none"${index === 0 ? null : html` class="number"`}><button type="button">${title}</button></th>`;
}

/** Renders the measures of cohorts and the spread of runs, where there are any. */
export function groupsHtml(report: Report): readonly Html[] {
  return comparedTables(report).map(
    table => html`<section><h2>${table.title}</h2>${scrolled(table.title, tableHtml(table))}</section>`,
  );
}

/** Renders a table that scrolls where the window is narrow, also by keys. */
export function scrolled(label: string, table: Html, size: 'small' | '' = ''): Html {
  return html`<div class="scroll ${size}" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** Renders a table. */
export function tableHtml({ titles, rows, last, texts }: ReportTable): Html {
  const heads = titles.map((title, index) =>
    index < texts ? html`<th>${title}</th>` : html`<th class="number">${title}</th>`,
  );
  const cells = (row: readonly string[]) =>
    row.map((text, index) =>
      index < texts ? html`<td><bdi>${text}</bdi></td>` : html`<td class="number">${unbroken(text)}</td>`,
    );
  return html`<table>
<thead><tr>${heads}</tr></thead>
<tbody>${[...rows, ...(last ? [last] : [])].map(row => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

/** Keeps each number with its unit on one line, in a table whose figures may wrap. */
function unbroken(text: string): string {
  return text.replace(/(?<=\d) (?=[^\d\s/])/g, '\u00A0');
}

/** Renders the mark of a failure. */
export function failureMark({ isExpected }: FileReport): Html {
  return isExpected ? html`<span class="good">✓</span>` : html`<span class="bad">✗</span>`;
}

function row(
  file: FileReport,
  columns: readonly MeasureColumn[],
  { index, title }: { readonly index: number; readonly title: string },
): Html {
  const link = html`<a href="#run-${index}"><bdi>${title}</bdi></a>`;
  const first = html`<td data-value="${title}">${link}</td><td class="number" data-value="${file.seconds}">${clock(file.seconds)}</td>`;
  if (file.failure === undefined) {
    return html`<tr>${first}${columns.map(column => cell(file, column))}</tr>\n`;
  }
  return html`<tr class="lost">${first}<td colspan="${columns.length}">${failureMark(file)} ${file.failure}</td></tr>\n`;
}

function cell(file: FileReport, column: MeasureColumn): Html {
  const value = column.value(file);
  const bar = column === MEASURE_COLUMNS.wer && value !== null ? barHtml(value, 1) : null;
  return html`<td class="number" data-value="${value ?? ''}">${unbroken(column.text(file))}${bar}</td>`;
}

/** Renders a small bar that illustrates the number beside it. */
export function barHtml(value: number, most: number): Html {
  const width = most > 0 ? Math.min(100, (100 * value) / most) : 0;
  return html`<svg class="bar" aria-hidden="true"><rect class="all" width="100%" height="100%"></rect><rect width="${width.toFixed(1)}%" height="100%"></rect></svg>`;
}

/** Explanation of the mark behind a rate. */
export const AGREEMENT_HTML = html`<p class="soft">${AGREEMENT_NOTE}</p>`;
