import { readPhrase } from '../phrases/readPhrase.ts';
import { plainWord } from '../sherpa/tokens/tokenWords.ts';
import type { DecodedSpan } from './decodeUtterance.ts';
import { type Pause, pausesIn } from './pauses.ts';
import { type TokenSpan, wordsIn } from './tokens.ts';
import { tokenFrames } from './wordTimes.ts';

/** A word with its frames in the audio of the utterance. */
export interface DecodedWord {
  /** Lower case, without marks, numbers in words. */
  readonly value: string;
  /**
   * The word as the model writes it: `Dashwood,`. Empty when the word before is written for both: `21` for
   * "twenty one".
   */
  readonly written: string;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly confidence: number;
  /** Number of tokens of the utterance up to the end of the word. */
  readonly tokensTo: number;
}

/** Frames of the shortest word: one position of the encoder. */
const LEAST_WORD_FRAMES = 384;

/** Returns the words of a result in order, with times and confidences. */
export function decodedWords(span: DecodedSpan, samples: Int16Array): readonly DecodedWord[] {
  const { hypothesis, start, end } = span;
  const { tokens, logProbabilities } = hypothesis;
  const spans = wordsIn(tokens);
  if (spans.length === 0) return [];
  const frames = tokenFrames(hypothesis).map(frame => Math.min(end, start + frame));
  const pauses = pausesIn(samples, start, end);
  const timed = spans.map(word => ({
    ...word,
    ...withoutPauses({ startFrame: frames[word.from]!, endFrame: frames[word.to]! }, pauses),
  }));
  return inOrder(timed, start, end).flatMap(word => {
    const confidence = confidenceOf(logProbabilities.slice(word.from, word.to));
    return spokenWords(word).map(each => ({ ...each, confidence, tokensTo: word.to }));
  });
}

interface Timed {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** Splits a written word into spoken ones, with digits as words. They share its time by length. */
function spokenWords({ text, startFrame, endFrame }: TokenSpan & Timed) {
  const values = spokenValues(text);
  const total = values.reduce((sum, value) => sum + value.length, 0);
  let before = 0;
  const frameAt = () => startFrame + Math.round(((endFrame - startFrame) * before) / total);
  return values.map((value, index) => {
    const from = frameAt();
    before += value.length;
    return { value, written: index === 0 ? text : '', startFrame: from, endFrame: frameAt() };
  });
}

/** Currencies, which are spoken after the figures. */
const CURRENCIES: Readonly<Record<string, readonly [one: string, more: string]>> = {
  $: ['dollar', 'dollars'],
  '£': ['pound', 'pounds'],
  '€': ['euro', 'euros'],
};

function spokenValues(text: string): readonly string[] {
  const plain = plainWord(text);
  const currency = CURRENCIES[plain.charAt(0)];
  if (currency) {
    const sum = spokenValues(plain.slice(1));
    return [...sum, currency[sum.join() === 'one' ? 0 : 1]];
  }
  if (/[\d&%]/.test(plain)) {
    const read = readPhrase(plain);
    if ('tokens' in read) return read.tokens.flatMap(({ words }) => words.map(({ value }) => value));
  }
  return plain === '' ? [] : [plain];
}

/**
 * Removes pauses from the time of a word: a pause at an edge shortens it, and a pause inside leaves the
 * longer side.
 */
function withoutPauses({ startFrame, endFrame }: Timed, pauses: readonly Pause[]): Timed {
  let [start, end] = [startFrame, endFrame];
  const edge = 0.03 * 16_000;
  for (const pause of pauses) {
    if (pause.startFrame <= start + edge && pause.endFrame > start && pause.endFrame < end - edge) {
      start = pause.endFrame;
    } else if (pause.endFrame >= end - edge && pause.startFrame < end && pause.startFrame > start + edge) {
      end = pause.startFrame;
    } else if (pause.startFrame > start + edge && pause.endFrame < end - edge) {
      if (pause.startFrame - start < end - pause.endFrame) start = pause.endFrame;
      else end = pause.startFrame;
    }
  }
  return { startFrame: start, endFrame: end };
}

/** Moves words so that none overlaps another, each has some duration, and all lie within the range. */
function inOrder<Word extends Timed>(words: readonly Word[], from: number, to: number): readonly Word[] {
  const least = Math.min(LEAST_WORD_FRAMES, Math.floor((to - from) / words.length));
  let ended = from;
  const placed = words.map((word, index) => {
    // Leave room for the remaining words.
    const latest = to - least * (words.length - index);
    const startFrame = Math.min(Math.max(word.startFrame, ended), latest);
    const endFrame = Math.min(Math.max(word.endFrame, startFrame + least), latest + least);
    ended = endFrame;
    return { ...word, startFrame, endFrame };
  });
  return placed;
}

/**
 * Returns the geometric mean of the probabilities of a word's tokens. As a predictor of errors over 673
 * words, its area under the curve is 0.913; the minimum, the product and the first reach at most 0.908.
 */
function confidenceOf(logProbabilities: readonly number[]): number {
  const sum = logProbabilities.reduce((total, value) => total + value, 0);
  return Math.min(1, Math.round(Math.exp(sum / logProbabilities.length) * 1000) / 1000);
}
