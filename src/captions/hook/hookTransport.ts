import { RxscribeError } from '../../base/errors.ts';
import type { HookSentence } from './hookSentence.ts';

/** A sentence with its number, as it is sent. */
export interface NumberedSentence extends HookSentence {
  /** Number of the sentence, from 1. */
  readonly id: number;
}

/** The way to a program or an address that answers sentences. */
export interface HookTransport {
  /** Maximum number of sentences that may be asked at the same time. */
  readonly concurrency: number;
  /** Resolves with the answer to a sentence. Rejects with the reason of a failure, and when the signal is aborted. */
  ask(sentence: NumberedSentence, signal: AbortSignal): Promise<string>;
  /** Releases everything. Never rejects; idempotent. */
  close(): Promise<void>;
}

/** Maximum number of characters in an answer: more than anyone can read while a sentence is spoken. */
const MAX_ANSWER_LENGTH = 2000;

/** Returns a sentence in the form that a hook gets: names with underscores, without unknown fields. */
export function wireSentence({ id, text, speaker, channel, ts, endTs }: NumberedSentence, language?: string) {
  return { id, text, speaker, channel, language, ts, end_ts: endTs };
}

/**
 * Returns an answer on one line.
 *
 * @throws RxscribeError `protocol` for one that is too long
 */
export function answerText(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (line.length <= MAX_ANSWER_LENGTH) return line;
  throw new RxscribeError('protocol', `An answer was longer than ${MAX_ANSWER_LENGTH} characters.`);
}

/**
 * Returns the text of an answer in JSON: a text, or an object with a `text`.
 *
 * @throws RxscribeError `protocol` for anything else
 */
export function jsonAnswer(value: unknown): string {
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
  if (typeof text === 'string') return answerText(text);
  throw new RxscribeError('protocol', "An answer in JSON had no member 'text' with a text.");
}
