import type { SentimentAnalyzer } from '../../src/engines/sentimentAnalyzer.ts';

/** For tests only: each "good" is 0.4 better, each "bad" 0.4 worse, no further than from -1 to 1. */
export function createScriptedSentimentAnalyzer(): SentimentAnalyzer {
  const count = (sentence: string, word: string) => sentence.toLowerCase().split(word).length - 1;
  return {
    name: 'scripted (tests only)',
    languages: ['en'],
    async analyze(sentences, { signal } = {}) {
      signal?.throwIfAborted();
      return sentences.map(sentence =>
        Math.max(-1, Math.min(1, 0.4 * (count(sentence, 'good') - count(sentence, 'bad')))),
      );
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
