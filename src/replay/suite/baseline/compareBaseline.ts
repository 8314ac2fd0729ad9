import { counted } from '../../../base/text.ts';
import type { GateCheck } from '../../report/report.ts';
import { type Baseline, type BaselinePair, baselineNote } from './baseline.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';
import { compareCaseErrors, compareErrors } from './compareErrors.ts';
import { type ComparedTotals, compareMeasure } from './compareMeasure.ts';

export interface ComparisonOptions {
  /** Seed of the bootstrap. */
  readonly seed: number;
  /**
   * Tolerances by path, which replace {@link BASELINE_TOLERANCES}; `wer` is in addition to its interval, and `case.wer`
   * is the part of the words of a case that may be wrong in addition to the earlier ones.
   */
  readonly tolerances?: Readonly<Record<string, number>>;
  /** Names of the files of each cohort, whose words are compared by themselves. */
  readonly cohorts?: ReadonlyMap<string, ReadonlySet<string>>;
  /** True to fail for each word that is newly wrong. */
  readonly isStrict?: boolean;
}

/**
 * Compares a report with a baseline. The word error rate is worse only if the whole 95 % interval of the paired
 * bootstrap is above 0 (or above its tolerance); that of a single case may rise considerably, but not without limit;
 * the totals of the other measures are compared with a tolerance, or, if the cases differ, means over the common ones.
 * A case that cannot be compared any more fails; a case that is missing in the baseline, or in another suite, is named.
 */
export function compareBaseline(
  before: Baseline,
  after: Baseline,
  { seed, tolerances = {}, isStrict, cohorts = new Map() }: ComparisonOptions,
): readonly GateCheck[] {
  if (before.alignment !== after.alignment) {
    const changed = `the alignment changed from ${before.alignment} to ${after.alignment}`;
    return [baselineNote(`${changed}: ${NOT_COMPARABLE}`, false)];
  }
  const pairs = pairsOf(before, after);
  const notes = [...otherNames(before, after), ...pairs.flatMap(incomparable)];
  const comparable = pairs.filter(pair => incomparable(pair).length === 0);
  if (comparable.length === 0) {
    return [...notes, baselineNote('no case can be compared with the baseline', false)];
  }
  const totals = totalsOf(before, after, comparable);
  return [
    ...notes,
    ...fewRuns(before, comparable),
    ...compareErrors(comparable, seed, tolerances.wer),
    ...[...cohorts].flatMap(([cohort, names]) =>
      compareErrors(
        comparable.filter(({ name }) => names.has(name)),
        seed,
        tolerances.wer,
      ).map(check => ({ ...check, cohort })),
    ),
    ...comparable.flatMap(pair => compareCaseErrors(pair, { tolerance: tolerances['case.wer'], isStrict })),
    ...Object.entries(BASELINE_TOLERANCES).flatMap(([path, usual]) =>
      compareMeasure(comparable, path, { usual, own: tolerances[path], totals }),
    ),
  ];
}

/** Returns the totals if they are of the same files. */
function totalsOf(
  before: Baseline,
  after: Baseline,
  comparable: readonly BaselinePair[],
): ComparedTotals | undefined {
  const counts = [before, after].map(({ files }) => Object.keys(files).length);
  const isOfSame = counts.every(count => count === comparable.length);
  return isOfSame ? { was: before.all, is: after.all } : undefined;
}

/** Minimum number of runs for a meaningful spread. */
const ENOUGH_RUNS = 3;

/** Returns a note when the spread of a service is not known. */
function fewRuns({ all: { runs } }: Baseline, pairs: readonly BaselinePair[]): readonly GateCheck[] {
  if (runs >= ENOUGH_RUNS || pairs.every(({ before }) => before.heard !== null)) return [];
  const note = `the baseline has ${counted(runs, 'run')}: only large changes of delays and partials are found; write it with --runs 5`;
  return [baselineNote(note, true)];
}

const NOT_COMPARABLE = 'not comparable with the baseline; run with --update to replace it';

function pairsOf(before: Baseline, after: Baseline): readonly BaselinePair[] {
  return Object.entries(after.files).flatMap(([name, file]) => {
    const was = Object.hasOwn(before.files, name) ? before.files[name] : undefined;
    return was ? [{ name, before: was, after: file }] : [];
  });
}

function otherNames(before: Baseline, after: Baseline): readonly GateCheck[] {
  const only = (these: Baseline, those: Baseline) =>
    Object.keys(these.files).filter(name => !Object.hasOwn(those.files, name));
  const isSame = before.suite === after.suite;
  const missing = isSame
    ? 'in the baseline, but not measured now; run with --update to remove it'
    : `in the baseline of ${before.suite}, but not in ${after.suite}`;
  return [
    ...only(before, after).map(name => baselineNote(missing, !isSame, name)),
    ...only(after, before).map(name => baselineNote('new: not in the baseline', true, name)),
  ];
}

function incomparable({ name, before, after }: BaselinePair): readonly GateCheck[] {
  const changed = (what: string) => [baselineNote(`the ${what}: ${NOT_COMPARABLE}`, false, name)];
  if (before.reference !== after.reference) {
    const what = before.reference === null ? 'is new' : after.reference === null ? 'is gone' : 'changed';
    return changed(`reference ${what}`);
  }
  // Without a reference, the rules were not applied.
  if (before.reference !== null && before.rules !== after.rules) {
    return changed(`rules changed from ${before.rules} to ${after.rules}`);
  }
  if (before.speed !== after.speed) return changed(`speed changed from ${before.speed} to ${after.speed}`);
  return [];
}
