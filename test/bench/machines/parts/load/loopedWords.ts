import { alignWords } from '../../../../../src/replay/align/alignWords.ts';
import { countErrors } from '../../../../../src/replay/score/errorCounts.ts';
import type { FinalEvent } from '../../../../../src/transcript/model/events.ts';
import { wordKey, wordTokensOf } from '../../../../../src/transcript/text/tokens.ts';
import { type ExpectedUtterance, repetitionSeconds, type Speech } from './loadSpeech.ts';

/** Words of a stream compared with those that the service found in the recording alone. */
export interface WordCounts {
  expected: number;
  missing: number;
  extra: number;
  changed: number;
}

/** The words of one stream, which begins anywhere in a recording and repeats it. Times are those of the stream. */
export interface LoopedWords {
  take(final: FinalEvent): void;
  /** Compares the rest of a stream that ended after this many seconds of audio. */
  end(spokenSeconds: number): void;
}

/** Silence that ends an utterance; one that ends closer to the end of the stream may be cut. */
const PAUSE_SECONDS = 1;

/**
 * Creates the comparison of one stream.
 *
 * @param offsetSeconds position in the recording at which the stream begins; the utterance there is left out
 * @param onPass called with the words of each repetition
 */
export function createLoopedWords(
  speech: Speech,
  offsetSeconds: number,
  onPass: (counts: WordCounts) => void,
): LoopedWords {
  const period = repetitionSeconds(speech);
  const isWhole = ({ ts }: ExpectedUtterance) => ts >= offsetSeconds;
  /** Seconds since the start of the first repetition, from which on words count. */
  const fromSeconds = startOf(speech.utterances, isWhole, period);
  let pass = Math.floor(fromSeconds / period);
  let heard: { readonly key: string; readonly at: number }[] = [];

  function closePass(untilSeconds: number, heardUntilSeconds = untilSeconds): void {
    const expected = speech.utterances
      .filter(({ ts, endTs }) => {
        const at = pass * period;
        return at + ts >= fromSeconds && at + endTs + PAUSE_SECONDS <= untilSeconds;
      })
      .flatMap(({ words }) => words.map(({ key }) => key));
    const found = heard.filter(({ at }) => at <= heardUntilSeconds).map(({ key }) => key);
    const { tokens, deletions, insertions, substitutions } = countErrors(alignWords(expected, found));
    if (tokens + insertions > 0) {
      onPass({ expected: tokens, missing: deletions, extra: insertions, changed: substitutions });
    }
    heard = [];
    pass++;
  }

  function takeFinal({ elements, endTs }: FinalEvent): void {
    for (const word of wordTokensOf(elements)) {
      const at = offsetSeconds + (word.endTs ?? endTs);
      if (at < fromSeconds) continue;
      while (at >= (pass + 1) * period) closePass((pass + 1) * period + PAUSE_SECONDS);
      heard.push({ key: wordKey(word.text), at });
    }
  }

  return {
    take: takeFinal,
    end(spokenSeconds) {
      const untilSeconds = offsetSeconds + spokenSeconds;
      while ((pass + 1) * period <= untilSeconds) closePass((pass + 1) * period + PAUSE_SECONDS);
      const index = speech.utterances.findLastIndex(
        ({ endTs }) => pass * period + endTs + PAUSE_SECONDS <= untilSeconds,
      );
      const lastWhole = speech.utterances[index];
      if (!lastWhole) return;
      const endSeconds = pass * period + lastWhole.endTs;
      const next = speech.utterances[index + 1]?.ts ?? period;
      // Words of an utterance that was cut at the end are not compared.
      closePass(endSeconds + PAUSE_SECONDS, endSeconds + (next - lastWhole.endTs) / 2);
    },
  };
}

/** Returns the middle of the pause before the first whole utterance of a stream. */
function startOf(
  utterances: readonly ExpectedUtterance[],
  isWhole: (utterance: ExpectedUtterance) => boolean,
  period: number,
): number {
  const before = utterances.findLast(utterance => !isWhole(utterance))?.endTs;
  const next = utterances.find(isWhole)?.ts ?? period + (utterances[0]?.ts ?? 0);
  return Math.max(0, ((before ?? next - 1) + next) / 2);
}
