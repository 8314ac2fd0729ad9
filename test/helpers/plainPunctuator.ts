import type { Punctuator } from '../../src/engines/punctuator.ts';
import { plainSentence } from '../../src/engines/text/plainSentences.ts';

/** A sentence an utterance: a language model has no opinion of scripted words such as "w7". */
export const plainPunctuator: Punctuator = {
  name: 'plain',
  languages: ['en'],
  punctuate: async utterance => plainSentence(utterance),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
};
