import { counted } from '../../../base/text.ts';
import { measurePath } from '../../measure/measurePaths.ts';
import { measureText, percent } from '../../report/figures.ts';
import type { GateCheck } from '../../report/report.ts';
import { errorRate, type TokenErrors } from '../../score/errorCounts.ts';
import { type BaselinePair, COMPARED, changedErrors, isExact } from './baseline.ts';

/** Probability of as many new errors by chance, up to which they count. */
const BY_CHANCE = 0.05;

/** Checks whether more words of all cases are newly wrong than chance explains: by the words that are wrong in one run only. */
export function compareErrors(pairs: readonly BaselinePair[]): readonly GateCheck[] {
  const scored = pairs.filter(({ before }) => before.words !== null);
  if (scored.length === 0) return [];
  const [was, is] = [sumOf(scored, 'before'), sumOf(scored, 'after')];
  const changes = scored.map(changedErrors);
  const added = changes.reduce((sum, change) => sum + change.added.length, 0);
  const gone = changes.reduce((sum, change) => sum + change.gone.length, 0);
  const chance = signTest(added, gone);
  const message = `${changeText('wer', errorRate(was), errorRate(is))}: ${added} words newly wrong, ${gone} no longer, by chance in ${percent(chance)} of such runs`;
  return [check(was, is, { passed: chance > BY_CHANCE, message, limit: errorRate(was) })];
}

function sumOf(pairs: readonly BaselinePair[], side: 'before' | 'after'): TokenErrors {
  const sum = (name: keyof TokenErrors) =>
    pairs.reduce((total, pair) => total + (pair[side].words?.[name] ?? 0), 0);
  return { tokens: sum('tokens'), errors: sum('errors') };
}

/**
 * Returns the probability of at least so many of the changes in one direction when both are equally likely: the exact sign test
 * of pairs, one-sided (McNemar 1947, "Note on the sampling error of the difference between correlated proportions").
 */
function signTest(added: number, gone: number): number {
  const changes = added + gone;
  // Each probability is computed from the one before, in logarithms: thousands of halves have no other number.
  let log = -changes * Math.LN2;
  let sum = 0;
  for (let count = 0; count <= changes; count++) {
    if (count >= added) sum += Math.exp(log);
    log += Math.log((changes - count) / (count + 1));
  }
  return Math.min(1, sum);
}

/** Words, and part of the words of one case, that may be newly wrong in a case of a live service. */
const FEW_WORDS = 3;
const CASE_ERRORS = 0.3;

/**
 * Checks a single case, whose loss the other cases may hide. A cassette gives the same words in each run, so other
 * words are named, and more wrong words are never noise.
 */
export function compareCaseErrors(pair: BaselinePair, isStrict = false): readonly GateCheck[] {
  const { name, before, after } = pair;
  if (!before.words || !after.words) return [];
  const [was, is] = [before.words, after.words];
  const allowed = isExact(pair) ? 0 : Math.max(FEW_WORDS, CASE_ERRORS * was.tokens);
  const { added, gone } = changedErrors(pair);
  const isWithin = is.errors - was.errors <= allowed;
  const passed = isWithin && !(isStrict && added.length > 0);
  const isSame = added.length + gone.length === 0 && (!isExact(pair) || before.heard === after.heard);
  if (passed && isSame) return [];
  const reason = isExact(pair)
    ? 'other words than in the baseline, although a cassette gives the same words in each run'
    : `${isWithin ? 'no ' : ''}more than ${Number(allowed.toFixed(1))} words are wrong besides the earlier errors`;
  const lists = [listText('newly wrong', added), listText('no longer wrong', gone)].filter(
    text => text !== '',
  );
  const message = [`${changeText('wer', errorRate(was), errorRate(is))}: ${reason}`, ...lists].join('; ');
  const limit = errorRate({ tokens: was.tokens, errors: was.errors + allowed });
  return [{ ...check(was, is, { passed, message, limit }), file: name }];
}

/** Number of changed words that are named. */
const MAX_NAMED = 20;

/** Names changed words after a title. */
export function listText(title: string, errors: readonly string[]): string {
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

/** Difference that rounding may have. */
const ROUNDING = 0.001;

/**
 * Compares all measures but the words. Of a cassette, which virtual time makes equal in each run, a worse measure fails, and
 * so does one that is gone. Those of a live service are put beside the earlier ones, as means over its cases; they have limits
 * only by thresholds.
 */
export function compareMeasures(pairs: readonly BaselinePair[]): readonly GateCheck[] {
  const { exact = [], live = [] } = Object.groupBy(pairs, pair => (isExact(pair) ? 'exact' : 'live'));
  return [
    ...exact.flatMap(pair => COMPARED.flatMap(path => exactCheck(pair, path))),
    ...COMPARED.flatMap(path => liveCheck(live, path)),
  ];
}

/** Returns a check of a measure that changed; none for the same value. */
function exactCheck({ name, before, after }: BaselinePair, path: string): readonly GateCheck[] {
  const [was, is] = [before.measures[path], after.measures[path]];
  if (was === undefined && is === undefined) return [];
  const of = { kind: 'baseline', file: name, measure: path } as const;
  if (was === undefined) {
    const message = `${path} is ${measureText(path, is!)}, and not in the baseline`;
    return [{ ...of, passed: true, message, value: is!, limit: is! }];
  }
  const figures = { limit: was, baseline: was };
  if (is === undefined) {
    const message = `${path} was ${measureText(path, was)}, and cannot be measured now`;
    return [{ ...of, ...figures, passed: false, message, value: null }];
  }
  const more = measurePath(path)?.limit === 'min' ? was - is : is - was;
  if (Math.abs(more) <= ROUNDING) return [];
  const passed = more < 0;
  return [{ ...of, ...figures, passed, message: changeText(path, was, is), value: is }];
}

function liveCheck(pairs: readonly BaselinePair[], path: string): readonly GateCheck[] {
  const values = pairs.flatMap(({ before, after }) => {
    const [was, is] = [before.measures[path], after.measures[path]];
    return was === undefined || is === undefined ? [] : [{ was, is }];
  });
  if (values.length === 0) return [];
  const mean = (side: 'was' | 'is') => values.reduce((sum, value) => sum + value[side], 0) / values.length;
  const [was, is] = [mean('was'), mean('is')];
  const of = values.length > 1 ? `, as means of ${counted(values.length, 'case')}` : '';
  const message = `${changeText(path, was, is)}${of}`;
  const figures = { value: is, limit: was, baseline: was };
  return [{ kind: 'baseline', measure: path, passed: true, message, ...figures }];
}

function changeText(path: string, was: number, is: number): string {
  return `${path} was ${measureText(path, was)} and is ${measureText(path, is)}`;
}
