import { percent } from '../../report/figures.ts';
import type { GateCheck } from '../../report/report.ts';
import { differenceInterval, type Interval } from '../../score/bootstrap.ts';
import { errorRate, type TokenErrors } from '../../score/errorCounts.ts';
import { type BaselinePair, errorsOf } from './baseline.ts';
import { errorTolerance } from './baselineTolerances.ts';

/**
 * Checks whether significantly more words of all cases are wrong; without an interval, whether more than a tolerance.
 */
export function compareErrors(
  pairs: readonly BaselinePair[],
  seed: number,
  tolerance: number | undefined,
): readonly GateCheck[] {
  const before = pairs.flatMap(pair => pair.before.segments);
  const after = pairs.flatMap(pair => pair.after.segments);
  if (before.length === 0) return [];
  const [was, is] = [errorsOf({ segments: before }), errorsOf({ segments: after })];
  const interval = differenceInterval(before, after, seed);
  if (!interval) return [tooFew(was, is, errorTolerance('wer', was.tokens, tolerance))];
  const passed = interval.low <= (tolerance ?? 0);
  const message = `${changeText(was, is)}: a difference of ${pointsText(interval)}, with 95 % confidence`;
  const limit = errorRate(was) + (tolerance ?? 0);
  return [{ ...check(was, is, { passed, message, limit }), interval }];
}

function tooFew(was: TokenErrors, is: TokenErrors, allowed: number): GateCheck {
  const passed = is.errors - was.errors <= allowed;
  const message =
    `${changeText(was, is)}: too few words for an interval, and` +
    `${passed ? ' no' : ''} more than ${wordsText(allowed)} besides the earlier errors`;
  return check(was, is, { passed, message, limit: limitOf(was, allowed) });
}

/**
 * Checks a single case, whose loss the other cases may hide. A cassette gives the same words in each run, so other
 * words are named, and more wrong words are never noise.
 */
export function compareCaseErrors(
  { name, before, after }: BaselinePair,
  tolerance: number | undefined,
): readonly GateCheck[] {
  if (before.reference === null) return [];
  const [was, is] = [errorsOf(before), errorsOf(after)];
  const isExact = before.heard !== null && after.heard !== null;
  const allowed = isExact ? (tolerance ?? 0) * was.tokens : errorTolerance('case.wer', was.tokens, tolerance);
  const passed = is.errors - was.errors <= allowed;
  if (passed && (!isExact || before.heard === after.heard)) return [];
  const reason = isExact
    ? 'other words than in the baseline, although a cassette gives the same words in each run'
    : `more than ${wordsText(allowed)} are wrong besides the earlier errors`;
  const message = `${changeText(was, is)}: ${reason}`;
  return [{ ...check(was, is, { passed, message, limit: limitOf(was, allowed) }), file: name }];
}

function check(
  was: TokenErrors,
  is: TokenErrors,
  found: Pick<GateCheck, 'passed' | 'message' | 'limit'>,
): GateCheck {
  return { kind: 'baseline', measure: 'wer', ...found, value: errorRate(is), baseline: errorRate(was) };
}

function limitOf({ tokens, errors }: TokenErrors, allowed: number): number {
  return errorRate({ tokens, errors: errors + allowed });
}

function changeText(was: TokenErrors, is: TokenErrors): string {
  return `wer was ${percent(errorRate(was))} and is ${percent(errorRate(is))}`;
}

function wordsText(count: number): string {
  return `${Number(count.toFixed(1))} words`;
}

function pointsText({ low, high }: Interval): string {
  const points = (part: number) => (100 * part).toFixed(2);
  return `${points(low)} to ${points(high)} points`;
}
