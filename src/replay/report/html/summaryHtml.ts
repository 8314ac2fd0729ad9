import { counted } from '../../../base/text.ts';
import type { Measures } from '../../measure/measures.ts';
import {
  countFailed,
  interval,
  isAgreement,
  measureText,
  NOTHING,
  subjectOf,
  testedText,
  VERDICT_MARKS,
  verdictOf,
} from '../figures.ts';
import { MEASURE_COLUMNS, type MeasureColumn } from '../measureColumns.ts';
import type { GateCheck, Report } from '../report.ts';
import { AGREEMENT_HTML, scrolledTable } from './filesTableHtml.ts';
import { type Html, html } from './html.ts';

/** Renders the head of a page: the verdict, totals and checks. */
export function summaryHtml(report: Report): Html {
  const { suite, gate, createdAt, rules, software, files } = report;
  const name = verdictOf(gate);
  const verdict = html`<span class="verdict ${name}">${VERDICT_MARKS[name]} ${name}</span>`;
  const versions = Object.entries(software).map(([name, version]) => `${name} ${version}`);
  const facts = [createdAt, `rules ${rules.join(', ')}`, ...versions];
  return html`<header>
<h1><bdi>${suite}</bdi> ${verdict}</h1>
<p class="soft">${facts.join(' · ')}</p>
<p>${testedText(files)}</p>
</header>
<dl class="tiles">${tiles(report)}</dl>
${isAgreement(report) ? AGREEMENT_HTML : null}
${checks(report)}`;
}

function tiles(report: Report): readonly (Html | null)[] {
  const { files } = report;
  const failed = countFailed(files);
  const runs = failed > 0 ? `${failed} failed` : 'all ran to their end';
  const { wer, cer, keywords, firstPartial, word, final, upwr, upsr, coverage, reconnects } = MEASURE_COLUMNS;
  const text = (column: MeasureColumn) => column.text(report);
  const isCompared = isAgreement(report);
  return [
    tile('Streams', String(files.length), runs),
    tile(isCompared ? 'Words that differ' : 'Word error rate', text(wer), wordErrors(report)),
    tile(isCompared ? 'Characters that differ' : 'Character error rate', text(cer), characterErrors(report)),
    tile('Keyword recall', text(keywords), ''),
    tile('First partial', text(firstPartial), 'p50 / p95 / p99'),
    tile('Word delay', text(word), 'p50 / p95 / p99'),
    tile('Final delay', text(final), 'p50 / p95 / p99'),
    tile('Unstable partial words', text(upwr), `segments ${text(upsr)}`),
    tile('Coverage', text(coverage), `holes ${report.coverageSeconds?.hole.toFixed(1)} s`),
    tile('Reconnects', text(reconnects), ''),
  ];
}

function wordErrors({ words, werInterval }: Measures): string {
  if (!words) return '';
  const { substitutions, deletions, insertions, tokens } = words;
  const counts = `${substitutions} sub, ${deletions} del, ${insertions} ins of ${tokens}`;
  return werInterval ? `95 %: ${interval(werInterval)}; ${counts}` : counts;
}

function characterErrors({ characters }: Measures): string {
  return characters ? `${counted(characters.errors, 'error')} of ${characters.tokens}` : '';
}

/** Renders a tile; null without a value. */
function tile(name: string, value: string, note: string): Html | null {
  if (value === NOTHING) return null;
  return html`<div><dt>${name}</dt><dd>${value}</dd>${note === '' ? null : html`<dd class="soft">${note}</dd>`}</div>\n`;
}

function checks({ gate }: Report): Html | null {
  const failed = gate.checks.filter(({ passed }) => !passed);
  const passed = gate.checks.filter(check => check.passed);
  if (gate.checks.length === 0) return null;
  const rest =
    passed.length === 0
      ? null
      : html`<details><summary>${counted(passed.length, 'check')} passed</summary>${checkTable('Passed checks', passed)}</details>`;
  return html`<section><h2>Checks</h2>
${failed.length === 0 ? null : checkTable('Failed checks', failed)}
${rest}</section>`;
}

const CHECK_FIGURES: Readonly<Record<string, (check: GateCheck) => number | null>> = {
  Now: ({ value }) => value,
  Baseline: ({ baseline }) => baseline ?? null,
  Limit: ({ value, limit }) => (value === null ? null : limit),
};

function checkTable(title: string, list: readonly GateCheck[]): Html {
  const columns = Object.entries(CHECK_FIGURES).filter(([, of]) => list.some(check => of(check) !== null));
  const rows = list.map(check => {
    const { measure, passed, message } = check;
    const mark = html`<span class="${passed ? 'good' : 'bad'}">${VERDICT_MARKS[verdictOf(check)]}</span>`;
    const figures = columns.map(([, of]) => of(check));
    return [
      ...[subjectOf(check), html`<span class="wide">${mark} ${message}</span>`, measure],
      ...figures.map(value => (value === null ? NOTHING : measureText(measure, value))),
    ];
  });
  const titles = ['File', 'Result', 'Measure', ...columns.map(([name]) => name)];
  return scrolledTable({ title, titles, rows, texts: 3 });
}
