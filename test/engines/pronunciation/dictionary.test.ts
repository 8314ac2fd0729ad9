import { expect, test } from 'vitest';
import { parseDictionary } from '../../../src/engines/pronunciation/dictionary.ts';

test('a dictionary has its words with all their pronunciations, in order', () => {
  const text = ";;; a comment\nread R IY D\nread(2) R EH D\n\nu.s. Y UW  EH S \r\n'em AH M\nlonely\na\tAH\n";
  expect([...parseDictionary(text)]).toEqual([
    ['read', ['R IY D', 'R EH D']],
    ['u.s.', ['Y UW EH S']],
    ["'em", ['AH M']],
    ['a', ['AH']],
  ]);
});
