import { measureText } from '../report/figures.ts';
import type { GateCheck } from '../report/report.ts';
import { type BaselinePair, baselineNote, errorsOf } from './baselinePair.ts';
import type { Tolerance } from './baselineTolerances.ts';
import { measurePath } from './measurePaths.ts';

/** A measure of a case that both have. */
interface MeasuredPair {
  readonly was: number;
  readonly is: number;
  /** What part it has in the mean. */
  readonly weight: number;
}

/**
 * Whether the mean of a measure over cases is worse than a tolerance allows. A measure that a case had and has no more
 * fails, of which the mean of the others would say nothing.
 *
 * @param own instead of the usual tolerance, in the unit of the measure
 */
export function compareMeans(
  pairs: readonly BaselinePair[],
  path: string,
  usual: Tolerance,
  own: number | undefined,
): readonly GateCheck[] {
  const values = pairs.flatMap(({ before, after }): readonly MeasuredPair[] => {
    const [was, is] = [before.measures[path], after.measures[path]];
    const weight = usual.words === undefined ? 1 : errorsOf(before).tokens;
    return was === undefined || is === undefined || weight === 0 ? [] : [{ was, is, weight }];
  });
  const oneSided = pairs.flatMap(pair => oneSide(pair, path));
  if (values.length === 0) return oneSided;
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (side: 'was' | 'is') =>
    values.reduce((sum, value) => sum + value[side] * value.weight, 0) / total;
  const [was, is] = [mean('was'), mean('is')];
  const { absolute, relative, words = 0 } = usual;
  const allowed = own ?? Math.max(absolute, relative * was, words / total);
  const isLeast = measurePath(path)?.limit === 'min';
  const limit = isLeast ? was - allowed : was + allowed;
  const passed = isLeast ? is >= limit : is <= limit;
  const text = (value: number) => measureText(path, value);
  const message = `${path} was ${text(was)} and is ${text(is)}${passed ? '' : `, worse than ${text(limit)}`}`;
  return [...oneSided, { kind: 'baseline', measure: path, passed, message, value: is, limit, baseline: was }];
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
