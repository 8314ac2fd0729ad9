import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { partialSteps, stabilityOf } from '../../transcript/text/stability.ts';
import { coverageOf, coveredSeconds } from '../measure/coveredSeconds.ts';
import type { DelayKind } from '../measure/delays.ts';
import { delayQuantiles, delaysOf } from '../measure/delays.ts';
import { latestText } from '../report/figures.ts';
import { checkedLimit, runOf, shown, type Verdict, verdict } from './matcherInput.ts';

/** Limits of the instability of partials. */
export interface StabilityLimits {
  /** Maximum unstable partial word ratio. Default: any, or 0 when neither limit is given. */
  readonly upwr?: number;
  /** Maximum unstable partial segment ratio. Default: any. */
  readonly upsr?: number;
}

/** Checks that a run took back no more of its partials than allowed. */
export function toBeStable(received: unknown, limits: StabilityLimits = {}): Verdict {
  const { events } = runOf(received, 'toBeStable');
  const stability = stabilityOf(partialSteps(events.map(({ value }) => value)));
  const { upwr, upsr, unstableWords, finalWords, revisedSegments, segments } = stability;
  const isAnyGiven = limits.upwr !== undefined || limits.upsr !== undefined;
  const most = isAnyGiven ? limits : { upwr: 0 };
  const { upwr: mostWords = Number.POSITIVE_INFINITY, upsr: mostSegments = Number.POSITIVE_INFINITY } = most;
  const limitTexts = Object.entries(most).map(
    ([name, limit]) => `${name.toUpperCase()} at most ${checkedLimit(limit, 'toBeStable')}`,
  );
  return verdict({
    pass: upwr <= mostWords && upsr <= mostSegments,
    subject: 'partials',
    claim: `be stable (${limitTexts.join(', ')})`,
    found:
      `UPWR is ${shown(upwr)} (${counted(unstableWords, 'word')} taken back for ${finalWords} that stayed), ` +
      `UPSR ${shown(upsr)} (in ${revisedSegments} of ${counted(segments, 'segment')})`,
  });
}

/** Checks that a share of the audio of a run has text, or is known to be silent. */
export function toCover(received: unknown, fraction = 1): Verdict {
  checkedLimit(fraction, 'toCover');
  const run = runOf(received, 'toCover');
  const seconds = coveredSeconds(run);
  const coverage = coverageOf(seconds);
  return verdict({
    pass: coverage !== null && coverage >= fraction,
    subject: `a run of ${shown(run.seconds)} s`,
    claim: `cover ${shown(fraction)} of its audio`,
    found:
      coverage === null
        ? 'it has no audio'
        : `it covers ${shown(coverage)}: ${Object.entries(seconds)
            .map(([kind, value]) => `${shown(value)} s ${kind}`)
            .join(', ')}`,
    details: () => holeLines(run.transcript.coverage ?? []),
  });
}

function holeLines(coverage: NonNullable<ReturnType<typeof runOf>['transcript']['coverage']>): string {
  return coverage
    .filter(({ kind }) => kind === 'hole')
    .map(
      ({ ts, endTs, cause }) => `hole from ${shown(ts)} s to ${shown(endTs)} s${cause ? ` (${cause})` : ''}`,
    )
    .join('\n');
}

/** The delay to check. */
export interface DelayOptions {
  /**
   * Kind of delay: from the end of the first word of an utterance until it is first shown, from the end of a word until
   * it is shown, or from the end of an utterance to its final. Default `final`.
   */
  readonly of?: DelayKind;
  /** Quantile of the delays. Default `p95`. */
  readonly quantile?: 'p50' | 'p95' | 'p99' | 'max';
}

const NAMES: Readonly<Record<DelayKind, string>> = {
  firstPartial: 'first partials',
  word: 'words',
  final: 'finals',
};

/**
 * Checks that a delay of a run is below a limit in seconds; it fails for a run without results.
 *
 * @throws InvalidArgumentError for a run at speed `max`, which has no delays
 */
export function toHaveDelayBelow(
  received: unknown,
  seconds: number,
  { of = 'final', quantile = 'p95' }: DelayOptions = {},
): Verdict {
  checkedLimit(seconds, 'toHaveDelayBelow');
  const run = runOf(received, 'toHaveDelayBelow');
  if (run.speed === 'max') {
    throw new InvalidArgumentError("toHaveDelayBelow() requires a run in real time, not at speed 'max'.");
  }
  const quantiles = delayQuantiles(delaysOf(run)[of]);
  const delay = quantiles?.[quantile] ?? Number.POSITIVE_INFINITY;
  return verdict({
    pass: delay < seconds,
    subject: `the delay of ${NAMES[of]} (${quantile})`,
    claim: `be below ${shown(seconds)} s`,
    found: quantiles
      ? `it is ${shown(delay)} s: p50 ${shown(quantiles.p50)} s, p95 ${shown(quantiles.p95)} s, ` +
        `max ${shown(quantiles.max)} s of ${quantiles.count}`
      : 'no result has a known time',
    details: () => (quantiles ? latestText(quantiles, seconds) : ''),
  });
}
