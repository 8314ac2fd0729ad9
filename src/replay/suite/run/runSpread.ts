import type { MeasuredFile } from '../../measure/fileReport.ts';
import { MEASURE_PATHS, measureAt } from '../../measure/measurePaths.ts';
import type { Measures } from '../../measure/measures.ts';
import { totalMeasures } from '../../measure/totalMeasures.ts';
import type { RunSpread, Spread, Spreads } from '../../report/report.ts';

/**
 * Returns how much runs of the same files differ, without streams that failed; undefined of a single run.
 *
 * @param seed of the bootstrap
 */
export function runSpread(measured: readonly MeasuredFile[], seed: number): RunSpread | undefined {
  const runs = Math.max(0, ...measured.map(({ report }) => report.repeat));
  if (runs < 2) return undefined;
  const well = measured.filter(({ report }) => report.failure === undefined);
  const byRun = [...Map.groupBy(well, ({ report }) => report.repeat).values()];
  const byFile = [...Map.groupBy(well, ({ report }) => report.name)];
  const files = new Set(measured.map(({ report }) => report.name)).size;
  // Totals of different files cannot be compared.
  const whole = byRun.filter(run => run.length === files);
  return {
    runs,
    all: spreadsOf(whole.map(run => totalMeasures(run, seed))),
    files: Object.fromEntries(byFile.map(([name, of]) => [name, spreadsOf(of.map(({ report }) => report))])),
  };
}

function spreadsOf(all: readonly Measures[]): Spreads {
  return Object.fromEntries(
    MEASURE_PATHS.flatMap(({ path }) => {
      const values = all.map(measures => measureAt(measures, path)).filter(value => value !== null);
      return values.length === 0 ? [] : [[path, spreadOf(values)]];
    }),
  );
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const [low = 0, high = low] = sorted.slice(Math.floor(middle), Math.ceil(middle) + 1);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return { min: Math.min(...values), median: (low + high) / 2, max: Math.max(...values), deviation };
}
