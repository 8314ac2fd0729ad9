import { clock, delayOf, middleAndMost, percent, titleOf } from '../figures.ts';
import type { FileReport, Report } from '../report.ts';
import { type Html, html } from './html.ts';

interface Column {
  readonly title: string;
  readonly value: (file: FileReport) => number | null;
  readonly text: (file: FileReport) => string;
  /** Shows the value as a bar, of 1. */
  readonly isRate?: true;
}

const COLUMNS: readonly Column[] = [
  { title: 'Audio', value: file => file.seconds, text: file => clock(file.seconds) },
  { title: 'WER', value: file => file.wer, text: file => percent(file.wer), isRate: true },
  { title: 'CER', value: file => file.cer, text: file => percent(file.cer) },
  {
    title: 'Sub',
    value: file => file.words?.substitutions ?? null,
    text: file => String(file.words?.substitutions ?? '–'),
  },
  {
    title: 'Del',
    value: file => file.words?.deletions ?? null,
    text: file => String(file.words?.deletions ?? '–'),
  },
  {
    title: 'Ins',
    value: file => file.words?.insertions ?? null,
    text: file => String(file.words?.insertions ?? '–'),
  },
  {
    title: 'Word p50 / p95',
    value: file => delayOf(file, 'word')?.p50 ?? null,
    text: file => middleAndMost(delayOf(file, 'word')),
  },
  {
    title: 'Final p50 / p95',
    value: file => delayOf(file, 'final')?.p50 ?? null,
    text: file => middleAndMost(delayOf(file, 'final')),
  },
  { title: 'UPWR', value: file => file.upwr, text: file => percent(file.upwr) },
  { title: 'Coverage', value: file => file.coverage, text: file => percent(file.coverage) },
  { title: 'Violations', value: file => file.violations, text: file => String(file.violations) },
  { title: 'Reconnects', value: file => file.reconnects, text: file => String(file.reconnects) },
];

/** All runs, a row each, to be sorted. */
export function filesTableHtml({ files }: Report): Html {
  return html`<section><h2>Files</h2><div class="scroll" tabindex="0" role="region" aria-label="Files"><table class="sortable">
<thead><tr>${['File', ...COLUMNS.map(({ title }) => title)].map(head)}</tr></thead>
<tbody>${files.map((file, index) => row(file, index, files))}</tbody></table></div></section>`;
}

function head(title: string, index: number): Html {
  return html`<th aria-sort="none"${index === 0 ? null : html` class="number"`}><button type="button">${title}</button></th>`;
}

function row(file: FileReport, index: number, files: readonly FileReport[]): Html {
  const title = titleOf(file, files);
  const link = html`<a href="#run-${index}"><bdi>${title}</bdi></a>`;
  if (file.failure === undefined) {
    return html`<tr><td data-value="${title}">${link}</td>${COLUMNS.map(column => cell(file, column))}</tr>\n`;
  }
  const seconds = COLUMNS[0]!;
  return html`<tr class="lost"><td data-value="${title}">${link}</td>${cell(file, seconds)}<td colspan="${COLUMNS.length - 1}"><span class="bad">✗</span> ${file.failure}</td></tr>\n`;
}

function cell(file: FileReport, { value, text, isRate }: Column): Html {
  const bar = isRate && file.wer !== null ? barHtml(file.wer, 1) : null;
  return html`<td class="number" data-value="${value(file) ?? ''}">${text(file)}${bar}</td>`;
}

/** A small bar, which says nothing that is not said in figures beside it. */
export function barHtml(value: number, most: number): Html {
  const width = most > 0 ? Math.min(100, (100 * value) / most) : 0;
  return html`<svg class="bar" aria-hidden="true"><rect class="all" width="100%" height="100%"></rect><rect width="${width.toFixed(1)}%" height="100%"></rect></svg>`;
}
