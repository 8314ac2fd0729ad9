import type { FileReport } from '../../measure/fileReport.ts';
import { AGREEMENT_NOTE, clock, isAgreement } from '../figures.ts';
import { filledColumns, type MeasureColumn, measureColumns } from '../measureColumns.ts';
import type { Report, ReportTable } from '../report.ts';
import { type Html, html } from './html.ts';

const COLUMNS = measureColumns(
  ...(['wer', 'cer', 'substitutions', 'deletions', 'insertions', 'keywords'] as const),
  ...(['firstPartial', 'word', 'final'] as const),
  ...(['upwr', 'upsr', 'coverage', 'reconnects'] as const),
);

/** Renders the sortable table of all runs. */
export function filesTableHtml(report: Report): Html {
  const { files } = report;
  const columns = filledColumns(COLUMNS, report);
  const titles = ['File', 'Audio', ...columns.map(({ title }) => title)];
  return html`<section><h2>Files</h2>${scrolled(
    'Files',
    html`<table class="sortable">
<thead><tr>${titles.map(head)}</tr></thead>
<tbody>${files.map((file, index) => row(file, columns, index))}</tbody></table>`,
  )}${isAgreement(report) ? AGREEMENT_HTML : null}</section>`;
}

function head(title: string, index: number): Html {
  return html`<th aria-sort="none"${index === 0 ? null : html` class="number"`}><button type="button">${title}</button></th>`;
}

/** Renders a table with its title. */
export function sectionHtml(table: ReportTable): Html {
  return html`<section><h2>${table.title}</h2>${scrolledTable(table)}</section>`;
}

/** Columns up to which a table is small. */
const SMALL_COLUMNS = 6;

/** Renders a table with its title as a label, for those who do not see it. */
export function scrolledTable(table: HtmlTable): Html {
  return scrolled(table.title, tableHtml(table), table.titles.length <= SMALL_COLUMNS ? 'small' : '');
}

/** Renders a table that scrolls where the window is narrow, also by keys. */
function scrolled(label: string, table: Html, size: 'small' | '' = ''): Html {
  return html`<div class="scroll ${size}" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

/** A table whose cells may have markup. */
interface HtmlTable extends Omit<ReportTable, 'rows'> {
  readonly rows: readonly (readonly (string | Html)[])[];
}

/** Renders a table. */
export function tableHtml({ titles, rows, last, texts }: Omit<HtmlTable, 'title'>): Html {
  const heads = titles.map((head, index) =>
    index < texts ? html`<th>${head}</th>` : html`<th class="number">${head}</th>`,
  );
  const cells = (row: HtmlTable['rows'][number]) =>
    row.map((cell, index) =>
      index < texts
        ? html`<td><bdi>${cell}</bdi></td>`
        : html`<td class="number">${typeof cell === 'string' ? unbroken(cell) : cell}</td>`,
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

function row(file: FileReport, columns: readonly MeasureColumn[], index: number): Html {
  const link = html`<a href="#run-${index}"><bdi>${file.name}</bdi></a>`;
  const first = html`<td data-value="${file.name}">${link}</td><td class="number" data-value="${file.seconds}">${clock(file.seconds)}</td>`;
  if (file.failure === undefined) {
    return html`<tr>${first}${columns.map(column => cell(file, column))}</tr>\n`;
  }
  return html`<tr class="lost">${first}<td colspan="${columns.length}">${failureMark(file)} ${file.failure}</td></tr>\n`;
}

function cell(file: FileReport, column: MeasureColumn): Html {
  const value = column.value(file);
  return html`<td class="number" data-value="${value ?? ''}">${unbroken(column.text(file))}</td>`;
}

/** Explanation of the mark after a rate. */
export const AGREEMENT_HTML = html`<p class="soft">${AGREEMENT_NOTE}</p>`;
