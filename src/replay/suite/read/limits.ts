import { InvalidArgumentError } from '../../../base/errors.ts';
import { closestName } from '../../../base/namedOptions.ts';
import { MEASURE_PATHS, measurePath } from '../../measure/measurePaths.ts';
import type { Thresholds } from '../suite.ts';

/** A limit as people write it: `0.3`, `30%`, or both ends. */
export type WrittenLimit =
  | number
  | string
  | { readonly min?: number | string; readonly max?: number | string };

/**
 * Parses a number or a percentage: `0.3` and `30%` are equal. Undefined for any other text.
 *
 * @example
 * limitNumber('30%') // 0.3
 */
export function limitNumber(text: string | number): number | undefined {
  if (typeof text === 'number') return text;
  const [, digits, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits) / (percent ? 100 : 1);
}

/**
 * Parses the limit of a measure from a command line.
 *
 * @throws InvalidArgumentError for anything but a number or percentage, and for a rate that was meant as a percentage
 */
export function parseLimit(path: string, text: string): number {
  const limit = limitNumber(text);
  const refuse = (expected: string) => {
    throw new InvalidArgumentError(`The limit of '${path}' must be ${expected}, not '${text}'.`);
  };
  if (limit === undefined) return refuse('a number or a percentage such as 30%');
  if (limit > 1 && measurePath(path)?.isRate && !text.includes('%')) {
    return refuse(`at most 1, or a percentage such as ${text.trim()}%`);
  }
  return limit;
}

/** Builds a threshold. A plain limit is the maximum or minimum, as suits the measure. */
export function thresholdOf(path: string, limit: WrittenLimit): Thresholds {
  if (typeof limit !== 'object')
    return { [path]: { [measurePath(path)?.limit ?? 'max']: limitNumber(limit) } };
  const ends = Object.entries(limit).map(([end, value]) => [end, limitNumber(value)]);
  return { [path]: Object.fromEntries(ends) };
}

/**
 * Parses `PATH=LIMIT` of a command line.
 *
 * @throws InvalidArgumentError for an unknown measure, with a list of all, and for an invalid limit
 * @example
 * parseThreshold('wer=30%') // { wer: { max: 0.3 } }
 */
export function parseThreshold(text: string): Thresholds {
  const [, path = text, limit = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!measurePath(path)) {
    const paths = MEASURE_PATHS.map(measure => measure.path);
    const meant = closestName(path, paths);
    throw new InvalidArgumentError(
      `'${path}' is not a measure. ${meant ? `Did you mean '${meant}'? ` : ''}` +
        `Write PATH=LIMIT with one of these measures: ${paths.join(', ')}.`,
    );
  }
  return thresholdOf(path, parseLimit(path, limit));
}
