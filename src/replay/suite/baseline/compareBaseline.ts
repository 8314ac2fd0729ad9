import type { GateCheck } from '../../report/report.ts';
import { type Baseline, type BaselinePair, baselineNote } from './baseline.ts';
import { BASELINE_TOLERANCES } from './baselineTolerances.ts';
import { compareCaseErrors, compareErrors } from './compareErrors.ts';
import { type ComparedTotals, compareMeasure } from './compareMeasure.ts';

export interface ComparisonOptions {
  /** Of the bootstrap. */
  readonly seed: number;
  /**
   * By path: instead of {@link BASELINE_TOLERANCES}; `wer` besides its interval, and `case.wer` the part of the words of
   * a case that may be wrong besides those that were.
   */
  readonly tolerances?: Readonly<Record<string, number>>;
}

/**
 * What got worse. The word error rate is worse only when all of the 95 % interval of the paired bootstrap lies above 0
 * (or above its tolerance); of a single case it may rise by much, but not by all; of all else the figures that reports
 * show of all files are compared, with a tolerance; where some cases are not in both, means over those that are. What cannot be compared any more fails; a case that the baseline lacks is named, as is
 * one that another suite of recordings leaves out.
 */
export function compareBaseline(
  before: Baseline,
  after: Baseline,
  { seed, tolerances = {} }: ComparisonOptions,
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
    ...compareErrors(comparable, seed, tolerances.wer),
    ...comparable.flatMap(pair => compareCaseErrors(pair, tolerances['case.wer'])),
    ...Object.entries(BASELINE_TOLERANCES).flatMap(([path, usual]) =>
      compareMeasure(comparable, path, { usual, own: tolerances[path], totals }),
    ),
  ];
}

/** The figures of all files, where they are of the same files: else they say nothing of each other. */
function totalsOf(
  before: Baseline,
  after: Baseline,
  comparable: readonly BaselinePair[],
): ComparedTotals | undefined {
  const counts = [before, after].map(({ files }) => Object.keys(files).length);
  const isOfSame = counts.every(count => count === comparable.length);
  return isOfSame && before.all && after.all ? { was: before.all, is: after.all } : undefined;
}

const NOT_COMPARABLE = 'not comparable with the baseline; --update takes this as the new one';

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
    ? 'in the baseline, but nothing was measured of it now; --update leaves it out'
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
  // Without a reference, nothing was done by them.
  if (before.reference !== null && before.rules !== after.rules) {
    return changed(`rules changed from ${before.rules} to ${after.rules}`);
  }
  if (before.speed !== after.speed) return changed(`speed changed from ${before.speed} to ${after.speed}`);
  return [];
}
