import { counted } from '../../base/text.ts';
import { partialSteps, stabilityOf } from '../../transcript/text/stability.ts';
import { runOf } from './heard.ts';
import { checkedLimit, shown, type Verdict, verdict } from './verdict.ts';

/** How much of what was shown may be taken back. */
export interface StabilityLimits {
  /** Greatest unstable partial word ratio. Default: any, 0 when neither limit is given. */
  readonly upwr?: number;
  /** Greatest unstable partial segment ratio. Default: any. */
  readonly upsr?: number;
}

/** Whether a run took back no more of its partials than may be. */
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
