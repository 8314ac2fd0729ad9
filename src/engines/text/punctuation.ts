import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import type { Punctuator, SpokenUtterance, WrittenWord } from '../punctuator.ts';
import { plainSentence } from './plainSentences.ts';
import { createPunctuator } from './punctuator.ts';

/** Timeout of a punctuator, which delays finals meanwhile. */
export const MAX_PUNCTUATION_MS = 30_000;

export interface PunctuationOptions {
  /** ISO 639-1 code. Default `en`. */
  readonly language?: string;
  readonly punctuator?: Punctuator;
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** Writes an utterance. */
export type Punctuate = (utterance: SpokenUtterance, signal?: AbortSignal) => Promise<readonly WrittenWord[]>;

/**
 * Writes with the punctuator in its languages; in others, and when it fails, by plain rules, so that no word
 * is lost.
 *
 * A punctuator that timed out is not called again.
 */
export function createPunctuation(options: PunctuationOptions): Punctuate {
  const { language = 'en', punctuator = createPunctuator(), onError, clock = systemClock } = options;
  let isUsed = punctuator.languages.includes(language);
  let isTold = false;
  return async (utterance, signal) => {
    signal?.throwIfAborted();
    if (!isUsed || utterance.words.length === 0) return plainSentence(utterance, language);
    const late = new AbortController();
    const cancel = clock.schedule(MAX_PUNCTUATION_MS, () => late.abort(tooLate(punctuator)));
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    try {
      const written = await withAbort(punctuator.punctuate(utterance, { signal: either }), either);
      if (written.length !== utterance.words.length) throw miscounted(punctuator, utterance, written);
      return written;
    } catch (error) {
      signal?.throwIfAborted();
      isUsed = !late.signal.aborted;
      if (!isTold) onError?.(error);
      isTold = true;
      return plainSentence(utterance, language);
    } finally {
      cancel();
    }
  };
}

function tooLate({ name }: Punctuator): RxscribeError {
  return new RxscribeError(
    'engine-failed',
    `Cannot punctuate with '${name}': there was no answer within ${MAX_PUNCTUATION_MS / 1000} s.`,
  );
}

function miscounted(
  { name }: Punctuator,
  { words }: SpokenUtterance,
  written: readonly WrittenWord[],
): RxscribeError {
  return new RxscribeError(
    'engine-failed',
    `Cannot punctuate with '${name}': it returned ${written.length} words for ${words.length}.`,
  );
}
