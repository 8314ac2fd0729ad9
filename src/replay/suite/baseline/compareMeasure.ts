import { counted } from '../../../base/text.ts';
import { measurePath } from '../../measure/measurePaths.ts';
import { measureText } from '../../report/figures.ts';
import type { GateCheck } from '../../report/report.ts';
import { type BaselinePair, type BaselineTotals, baselineNote, errorsOf } from './baseline.ts';
import { type Amount, runNoise, type Tolerance } from './baselineTolerances.ts';

/** Totals of two reports. */
export interface ComparedTotals {
  readonly was: BaselineTotals;
  readonly is: BaselineTotals;
}

export interface MeasureComparison {
  readonly usual: Tolerance;
  /** Tolerance that replaces the usual one, in the unit of the measure; per stream for counts. */
  readonly own: number | undefined;
  /** Totals. Absent when the cases of the reports differ. */
  readonly totals: ComparedTotals | undefined;
}

/**
 * Checks whether a measure is worse than its tolerance allows: by the totals, or, if those are of different files or
 * runs, by the mean over cases. A measure that a case had and has no longer fails, because the others would hide it.
 */
export function compareMeasure(
  pairs: readonly BaselinePair[],
  path: string,
  { usual, own, totals }: MeasureComparison,
): readonly GateCheck[] {
  const oneSided = pairs.flatMap(pair => oneSide(pair, path));
  const compared = (totals && comparedTotal(pairs, path, usual, totals)) ?? comparedMean(pairs, path, usual);
  if (!compared) return oneSided;
  const { was, is, streams, of } = compared;
  const noise =
    usual.live && !pairs.every(isExact) ? liveTolerance(path, usual.live, was, totals) : undefined;
  const allowed = own === undefined ? (noise ?? usualTolerance(usual, compared)) : own * streams;
  const isLeast = measurePath(path)?.limit === 'min';
  const limit = isLeast ? was - allowed : was + allowed;
  const passed = isLeast ? is >= limit : is <= limit;
  const text = (value: number) => measureText(path, value);
  const message = `${path} was ${text(was)} and is ${text(is)}${of}${passed ? '' : `, worse than ${text(limit)}`}`;
  return [...oneSided, { kind: 'baseline', measure: path, passed, message, value: is, limit, baseline: was }];
}

/** Returns whether a cassette gave the results of both runs, so that they do not depend on the machine. */
function isExact({ before, after }: BaselinePair): boolean {
  return before.heard !== null && after.heard !== null;
}

function liveTolerance(
  path: string,
  { least, most }: NonNullable<Tolerance['live']>,
  was: number,
  totals: ComparedTotals | undefined,
): number {
  const amount = ({ absolute, relative }: Amount) => Math.max(absolute, relative * was);
  const sides = totals ? [totals.was, totals.is] : [];
  const noise = runNoise(sides.map(({ runs, deviations }) => ({ runs, deviation: deviations[path] ?? 0 })));
  return Math.max(amount(least), Math.min(noise, amount(most)));
}

interface Compared {
  readonly was: number;
  readonly is: number;
  /** Number of streams for a sum; else 1. */
  readonly streams: number;
  /** Number of words of the references, or of cases, in a mean. */
  readonly weight: number;
  /** Remark on both values. */
  readonly of: string;
}

function comparedTotal(
  pairs: readonly BaselinePair[],
  path: string,
  { isCount = false, words }: Tolerance,
  totals: ComparedTotals,
): Compared | undefined {
  const [was, is] = [totals.was.measures[path], totals.is.measures[path]];
  const { streams } = totals.is;
  if (was === undefined || is === undefined) return undefined;
  if (isCount && totals.was.streams !== streams) return undefined;
  const weight = pairs.reduce((sum, { before }) => sum + errorsOf(before).tokens, 0);
  if (words !== undefined && weight === 0) return undefined;
  return { was, is, streams: isCount ? streams : 1, weight, of: '' };
}

function comparedMean(
  pairs: readonly BaselinePair[],
  path: string,
  { words }: Tolerance,
): Compared | undefined {
  const values = pairs.flatMap(({ before, after }) => {
    const [was, is] = [before.measures[path], after.measures[path]];
    const weight = words === undefined ? 1 : errorsOf(before).tokens;
    return was === undefined || is === undefined || weight === 0 ? [] : [{ was, is, weight }];
  });
  if (values.length === 0) return undefined;
  const weight = values.reduce((sum, value) => sum + value.weight, 0);
  const mean = (side: 'was' | 'is') =>
    values.reduce((sum, value) => sum + value[side] * value.weight, 0) / weight;
  const of = `, as means of ${counted(values.length, 'case')}`;
  return { was: mean('was'), is: mean('is'), streams: 1, weight, of };
}

function usualTolerance(
  { absolute, relative, words }: Tolerance,
  { was, streams, weight }: Compared,
): number {
  const ofWords = words === undefined ? 0 : words / weight;
  return Math.max(absolute * streams, relative * was, ofWords);
}

function oneSide({ name, before, after }: BaselinePair, path: string): readonly GateCheck[] {
  const [was, is] = [before.measures[path], after.measures[path]];
  if (was !== undefined && is === undefined) {
    const message = `${path} was ${measureText(path, was)}, and cannot be measured now`;
    const figures = { value: null, limit: was, baseline: was };
    return [{ kind: 'baseline', file: name, measure: path, passed: false, message, ...figures }];
  }
  if (was !== undefined || is === undefined) return [];
  return [baselineNote(`${path} is ${measureText(path, is)}, and not in the baseline`, true, name)];
}
