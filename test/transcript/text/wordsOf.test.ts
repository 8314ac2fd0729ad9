import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/transcript/text/wordsOf.ts';

test('words of a text are without case, punctuation and the shape of apostrophes', () => {
  expect(wordsOf('Don’t "stop" — it’s 10 o\'clock!')).toEqual(["don't", 'stop', "it's", '10', "o'clock"]);
});
