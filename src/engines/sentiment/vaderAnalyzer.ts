import { setImmediate } from 'node:timers/promises';
import vader from 'vader-sentiment';
import type { SentimentAnalyzer } from '../sentimentAnalyzer.ts';

/**
 * Characters of a word that are read, in UTF-16 code units: VADER's longest word has 19, and its time grows
 * with the cube of the length.
 */
const MAX_WORD_LENGTH = 40;
/** Words that are scored together: with many more, a score is always near 1 or -1. */
const MAX_WORDS = 200;
/** Milliseconds after which the event loop gets a turn. */
const MAX_BLOCK_MS = 10;

/**
 * Creates an English analyser with VADER: a lexicon and rules for negation, degree and emphasis (Hutto and
 * Gilbert, 2014).
 *
 * The score is VADER's compound score. A sentence of more than 200 words gets the mean score of its parts of
 * 200 words, weighted by their words; of a word, the first 40 characters are read.
 *
 * @example
 * await using analyzer = createVaderAnalyzer();
 * await analyzer.analyze(['The room was lovely.', 'The food was cold and awful.']); // 0.5859 and -0.4588
 */
export function createVaderAnalyzer(): SentimentAnalyzer {
  return {
    name: 'vader',
    languages: ['en'],
    async analyze(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      const scores: number[] = [];
      let since = performance.now();
      for (const sentence of sentences) {
        const mean = { sum: 0, words: 0 };
        for (const words of piecesOf(sentence)) {
          mean.sum +=
            words.length * vader.SentimentIntensityAnalyzer.polarity_scores(words.join(' ')).compound;
          mean.words += words.length;
          if (performance.now() - since < MAX_BLOCK_MS) continue;
          await setImmediate();
          signal?.throwIfAborted();
          since = performance.now();
        }
        scores.push(mean.words === 0 ? 0 : mean.sum / mean.words);
      }
      return scores;
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function* piecesOf(sentence: string): Generator<readonly string[]> {
  let words: string[] = [];
  for (const [word] of sentence.matchAll(/\S+/g)) {
    // VADER knows "isn't" only with a straight apostrophe.
    words.push(word.slice(0, MAX_WORD_LENGTH).replaceAll('\u2019', "'"));
    if (words.length < MAX_WORDS) continue;
    yield words;
    words = [];
  }
  if (words.length > 0) yield words;
}
