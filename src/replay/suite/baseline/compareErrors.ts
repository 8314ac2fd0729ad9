import { percent } from '../../report/figures.ts';
import type { GateCheck } from '../../report/report.ts';
import { differenceInterval, type Interval } from '../../score/bootstrap.ts';
import { errorRate, type TokenErrors } from '../../score/errorCounts.ts';
import { type BaselinePair, changedErrors, errorsOf } from './baseline.ts';
import { errorTolerance } from './baselineTolerances.ts';

/**
 * Checks whether significantly more words of all cases are wrong: by the interval of the bootstrap, or, with too few words for
 * it, by an exact test of the words that are wrong in one of the runs only.
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
  if (!interval && tolerance === undefined) return [exactCheck(pairs, was, is)];
  if (!interval) return [tooFew(was, is, tolerance! * was.tokens)];
  const passed = interval.low <= (tolerance ?? 0);
  const message = `${changeText(was, is)}: a difference of ${pointsText(interval)}, with 95 % confidence`;
  const limit = errorRate(was) + (tolerance ?? 0);
  return [{ ...check(was, is, { passed, message, limit }), interval }];
}

/** Probability of as many new errors by chance, up to which they count. */
const BY_CHANCE = 0.05;

function exactCheck(pairs: readonly BaselinePair[], was: TokenErrors, is: TokenErrors): GateCheck {
  const changes = pairs.map(changedErrors);
  const added = changes.reduce((sum, change) => sum + change.added.length, 0);
  const gone = changes.reduce((sum, change) => sum + change.gone.length, 0);
  const chance = signTest(added, gone);
  const message = `${changeText(was, is)}: ${wordsText(added)} newly wrong, ${gone} no longer, by chance in ${percent(chance)} of such runs`;
  return check(was, is, { passed: chance > BY_CHANCE, message, limit: errorRate(was) });
}

/**
 * Returns the probability of at least so many of the changes in one direction when both are equally likely: the exact sign test
 * of pairs, one-sided (McNemar 1947, "Note on the sampling error of the difference between correlated proportions").
 */
function signTest(added: number, gone: number): number {
  const changes = added + gone;
  let [ways, sum] = [1, 0];
  for (let count = 0; count <= changes; count++) {
    if (count >= added) sum += ways;
    ways *= (changes - count) / (count + 1);
  }
  return sum / 2 ** changes;
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
  { tolerance, isStrict = false }: { readonly tolerance?: number; readonly isStrict?: boolean },
): readonly GateCheck[] {
  if (before.reference === null) return [];
  const [was, is] = [errorsOf(before), errorsOf(after)];
  const isExact = before.heard !== null && after.heard !== null;
  const allowed = isExact ? (tolerance ?? 0) * was.tokens : errorTolerance(was.tokens, tolerance);
  const { added, gone } = changedErrors({ before, after });
  const isWithin = is.errors - was.errors <= allowed;
  const passed = isWithin && !(isStrict && added.length > 0);
  const isSame = added.length + gone.length === 0 && (!isExact || before.heard === after.heard);
  if (passed && isSame) return [];
  const reason = isExact
    ? 'other words than in the baseline, although a cassette gives the same words in each run'
    : `${isWithin ? 'no ' : ''}more than ${wordsText(allowed)} are wrong besides the earlier errors`;
  const lists = [listText('newly wrong', added), listText('no longer wrong', gone)].filter(
    text => text !== '',
  );
  const message = [`${changeText(was, is)}: ${reason}`, ...lists].join('; ');
  return [{ ...check(was, is, { passed, message, limit: limitOf(was, allowed) }), file: name }];
}

/** Number of changed words that are named. */
const MAX_NAMED = 20;

function listText(title: string, errors: readonly string[]): string {
  if (errors.length === 0) return '';
  const rest = errors.length > MAX_NAMED ? ` and ${errors.length - MAX_NAMED} more` : '';
  return `${title}: ${errors.slice(0, MAX_NAMED).join(', ')}${rest}`;
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
