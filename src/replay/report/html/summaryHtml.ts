import { commonErrors } from '../commonErrors.ts';
import { delayOf, interval, measureText, middleAndMost, NOTHING, percent } from '../figures.ts';
import type { GateCheck, Measures, Report } from '../report.ts';
import { type Html, html } from './html.ts';

/** The head of a page: the verdict, the totals, the checks. */
export function summaryHtml(report: Report): Html {
  const { suite, gate, createdAt, rules, alignment, software } = report;
  const verdict = gate.passed
    ? html`<span class="verdict passed">✓ passed</span>`
    : html`<span class="verdict failed">✗ failed</span>`;
  const versions = Object.entries(software).map(([name, version]) => `${name} ${version}`);
  const facts = [createdAt, `rules ${rules.join(', ')}`, `alignment ${alignment}`, ...versions];
  return html`<header>
<h1><bdi>${suite}</bdi> ${verdict}</h1>
<p class="soft">${facts.join(' · ')}</p>
</header>
<dl class="tiles">${tiles(report)}</dl>
${checks(report)}`;
}

function tiles(report: Report): readonly Html[] {
  const { files, words } = report;
  const failed = files.filter(({ failure }) => failure !== undefined).length;
  const counts = words
    ? `${words.substitutions} sub, ${words.deletions} del, ${words.insertions} ins of ${words.tokens}`
    : '';
  const runs = failed > 0 ? `${failed} failed` : 'all ran to their end';
  const spread = report.werInterval ? `95 %: ${interval(report.werInterval)}` : counts;
  return [
    tile('Runs', String(files.length), runs),
    tile('Word error rate', percent(report.wer), spread),
    tile('Character error rate', percent(report.cer), report.werInterval ? counts : ''),
    tile('Word delay', middleAndMost(delayOf(report, 'word')), 'p50 / p95'),
    tile('Final delay', middleAndMost(delayOf(report, 'final')), 'p50 / p95'),
    tile('Unstable partial words', percent(report.upwr), `segments ${percent(report.upsr)}`),
    tile('Coverage', percent(report.coverage), `holes ${report.coverageSeconds.hole.toFixed(1)} s`),
    tile('Caption violations', String(report.violations), ruleCounts(report)),
    tile('Reconnects', String(report.reconnects), ''),
    ...(report.keywords ? [tile('Keyword recall', percent(report.keywords.recall), '')] : []),
  ];
}

function tile(name: string, value: string, note: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd>${note === '' ? null : html`<dd class="soft">${note}</dd>`}</div>\n`;
}

export function ruleCounts({ violationsByRule }: Pick<Measures, 'violationsByRule'>): string {
  const counts = Object.entries(violationsByRule).filter(([, count]) => count > 0);
  return counts.map(([rule, count]) => `${rule} ${count}`).join(', ');
}

function checks({ gate }: Report): Html | null {
  const failed = gate.checks.filter(({ passed }) => !passed);
  const passed = gate.checks.filter(check => check.passed);
  if (gate.checks.length === 0) return null;
  const rest =
    passed.length === 0
      ? null
      : html`<details><summary>${passed.length} checks passed</summary>${checkTable(passed)}</details>`;
  return html`<section><h2>Checks</h2>
${failed.length === 0 ? null : checkTable(failed)}
${rest}</section>`;
}

function checkTable(list: readonly GateCheck[]): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>File</th><th>Result</th><th>Measure</th><th class="number">Now</th><th class="number">Baseline</th><th class="number">Limit</th></tr></thead>
<tbody>${list.map(checkRow)}</tbody></table></div>`;
}

function checkRow({ file, repeat, measure, value, limit, baseline, passed, message }: GateCheck): Html {
  const subject = file === undefined ? 'all' : `${file}${repeat === undefined ? '' : ` (repeat ${repeat})`}`;
  return html`<tr><td><bdi>${subject}</bdi></td>
<td class="wide"><span class="${passed ? 'good' : 'bad'}">${passed ? '✓' : '✗'}</span> ${message}</td>
<td>${measure}</td>
<td class="number">${value === null ? NOTHING : measureText(measure, value)}</td>
<td class="number">${baseline === undefined ? NOTHING : measureText(measure, baseline)}</td>
<td class="number">${value === null ? NOTHING : measureText(measure, limit)}</td></tr>\n`;
}

/** The errors that were made most. */
export function commonErrorsHtml({ files }: Report): Html | null {
  const errors = commonErrors(files);
  if (errors.length === 0) return null;
  const rows = errors.map(
    ({ type, reference, hypothesis, count }) => html`<tr><td><bdi>${reference || NOTHING}</bdi></td>
<td><bdi>${hypothesis || NOTHING}</bdi></td><td>${type}</td><td class="number">${count}</td></tr>\n`,
  );
  return html`<section><h2>Most common errors</h2><div class="scroll small"><table>
<thead><tr><th>Said</th><th>Heard</th><th>Error</th><th class="number">Times</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}
