import { pairWords } from '../../transcript/text/pairWords.ts';
import { type Token, wordKey, wordTokensOf } from '../../transcript/text/tokens.ts';
import type { SessionRun, Timed } from '../session/sessionRun.ts';
import { audioTimes } from './audioTimes.ts';
import { type Utterance, utterancesOf } from './utterances.ts';

/** Delays one by one, in seconds: below 0 where something was shown before it was over. */
export interface DelaySamples {
  /** Of each utterance: from the end of its first word to the first partial or final that shows anything. */
  readonly firstPartial: readonly number[];
  /** Of each word of the finals: from its end to the event from which on it stood there. */
  readonly word: readonly number[];
  /** Of each utterance: from the end of its last word to its final. */
  readonly final: readonly number[];
}

/**
 * How long after it was spoken something was shown, on the clock of the run. A word counts from when it was shown for
 * good: one that was taken back and came again counts the second time. Words without times are left out.
 *
 * @example
 * quantilesOf(delaysOf(run).final)?.p95 // 0.82: nineteen of twenty finals came within 0.82 s of the last word's end
 */
export function delaysOf(run: SessionRun): DelaySamples {
  const spokenAt = audioTimes(run);
  const since = (atMs: number, seconds: number | undefined) => {
    const spokenMs = seconds === undefined ? undefined : spokenAt(seconds);
    return spokenMs === undefined ? [] : [(atMs - spokenMs) / 1000];
  };
  const utterances = utterancesOf(run).map(utterance => {
    const words = wordTokensOf(utterance.final.value.elements);
    return { utterance, words, timed: words.filter(({ endTs }) => endTs !== undefined) };
  });
  return {
    firstPartial: utterances.flatMap(({ utterance, timed }) =>
      since(firstShowing(utterance).atMs, timed[0]?.endTs),
    ),
    word: utterances.flatMap(({ utterance, words }) => {
      const shownAt = showings(utterance, words);
      return words.flatMap(({ endTs }, index) => since(shownAt[index]!, endTs));
    }),
    final: utterances.flatMap(({ utterance, timed }) => since(utterance.final.atMs, timed.at(-1)?.endTs)),
  };
}

function firstShowing({ partials, final }: Utterance): Timed<unknown> {
  return partials.find(({ value }) => value.elements.length > 0) ?? final;
}

/** When each word of a final began to stand for good. */
function showings({ partials, final }: Utterance, words: readonly Token[]): readonly number[] {
  const keys = words.map(({ text }) => wordKey(text));
  const shownAt = words.map(() => final.atMs);
  let standing = new Set(keys.keys());
  for (const { atMs, value } of partials.toReversed()) {
    const shown = wordTokensOf(value.elements).map(({ text }) => wordKey(text));
    const stood = pairWords(shown, keys).map(({ right }) => right);
    standing = new Set(stood.filter(index => standing.has(index)));
    if (standing.size === 0) break;
    for (const index of standing) shownAt[index] = atMs;
  }
  return shownAt;
}
