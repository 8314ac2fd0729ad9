import { InvalidArgumentError } from '../../base/errors.ts';
import { type DelaySamples, delaysOf } from '../measure/delays.ts';
import { quantilesOf } from '../measure/quantiles.ts';
import { runOf } from './heard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** Which delay is meant. */
export interface DelayOptions {
  /**
   * From the end of the first word of an utterance to its first showing, from the end of a word to its showing, or from
   * the end of an utterance to its final. Default `final`.
   */
  readonly of?: keyof DelaySamples;
  /** Default `p95`. */
  readonly quantile?: 'p50' | 'p95' | 'p99' | 'max';
}

const NAMES: Readonly<Record<keyof DelaySamples, string>> = {
  firstPartial: 'first partials',
  word: 'words',
  final: 'finals',
};

/**
 * Whether what was said was shown in less than so many seconds; never of a run in which nothing was.
 *
 * @throws InvalidArgumentError of a run at speed `max`: nothing was spoken in time
 */
export function toHaveDelayBelow(
  received: unknown,
  seconds: number,
  { of = 'final', quantile = 'p95' }: DelayOptions = {},
): Verdict {
  checkedLimit(seconds, 'toHaveDelayBelow');
  const run = runOf(received, 'toHaveDelayBelow');
  if (run.speed === 'max') {
    throw new InvalidArgumentError('toHaveDelayBelow: wanted a run at a speed that is a number, found max');
  }
  const quantiles = quantilesOf(delaysOf(run)[of]);
  const delay = quantiles?.[quantile] ?? Number.POSITIVE_INFINITY;
  return verdict({
    pass: delay < seconds,
    subject: `the delay of ${NAMES[of]} (${quantile})`,
    claim: `be below ${shown(seconds)} s`,
    found: quantiles
      ? `it is ${shown(delay)} s: p50 ${shown(quantiles.p50)} s, p95 ${shown(quantiles.p95)} s, ` +
        `max ${shown(quantiles.max)} s of ${quantiles.count}`
      : 'nothing was heard whose time is known',
  });
}
