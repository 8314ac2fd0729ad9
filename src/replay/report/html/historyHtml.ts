import { measureText, NOTHING, VERDICT_MARKS, verdictOf } from '../figures.ts';
import type { HistoryEntry } from '../history.ts';
import { MAIN_MEASURES } from '../spreadTable.ts';
import { scrolledTable } from './filesTableHtml.ts';
import { type Html, html } from './html.ts';

/** Number of the latest runs that are shown. */
const MAX_RUNS = 50;

/** Size of a chart in its own units, with a margin for its marks. */
const CHART = { width: 300, height: 60, margin: 5 } as const;

/** Renders earlier runs of a suite: a chart for each measure that changed, and a table. Null for fewer than two runs. */
export function historyHtml(history: readonly HistoryEntry[], suite: string): Html | null {
  const runs = history.filter(entry => entry.suite === suite).slice(-MAX_RUNS);
  if (runs.length < 2) return null;
  const measures = Object.entries(MAIN_MEASURES).filter(([path]) => runs.some(run => path in run.measures));
  const charts = measures.flatMap(([path, title]) => {
    const values = runs.map(run => run.measures[path] ?? null);
    return new Set(values).size > 1 ? [chart(path, title, values)] : [];
  });
  const rows = runs.toReversed().map(run => {
    const { date, commit = NOTHING, tested, measures: values } = run;
    const verdict = `${VERDICT_MARKS[verdictOf(run)]} ${verdictOf(run)}`;
    return [
      ...[date.slice(0, 16).replace('T', ' '), commit.slice(0, 12), verdict, tested],
      ...measures.map(([path]) => (path in values ? measureText(path, values[path]!) : NOTHING)),
    ];
  });
  const titles = ['Run', 'Commit', 'Verdict', 'Tested', ...measures.map(([, title]) => title)];
  const table = scrolledTable({ title: 'Runs', titles, rows, texts: 4 });
  return html`<section><h2>History</h2><div class="charts">${charts}</div>
<details><summary>The last ${runs.length} runs</summary>${table}</details></section>`;
}

function chart(path: string, title: string, values: readonly (number | null)[]): Html {
  const known = values.filter(value => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const { width, height, margin } = CHART;
  const x = (index: number) => margin + ((width - 2 * margin) * index) / (values.length - 1);
  const y = (value: number) =>
    height - margin - ((height - 2 * margin) * (value - least)) / (most - least || 1);
  const points = values.flatMap((value, index) => (value === null ? [] : [[x(index), y(value)] as const]));
  const line = points.map(point => point.map(each => each.toFixed(1)).join()).join(' ');
  const marks = points.map(
    ([cx, cy]) => html`<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="2"></circle>`,
  );
  const range = `${measureText(path, least)} to ${measureText(path, most)}`;
  const text = `${title}, ${values.length} runs: ${range}, last ${measureText(path, known.at(-1) ?? least)}`;
  return html`<figure><svg class="chart" role="img" viewBox="0 0 ${width} ${height}"><title>${text}</title><polyline points="${line}"></polyline>${marks}</svg><figcaption>${text}</figcaption></figure>\n`;
}
