import type { RuleSet } from '../../../src/replay/rules/ruleSet.ts';

/** White space only, as jiwer compares without a transform. */
export const spaceRules: RuleSet = {
  name: 'space',
  description: 'Words between white space, as they are.',
  words: text => Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => placed(word, index, word.length)),
};

/** Small rules that behave like the large ones: case, marks, one word made two, two made one. */
export const smallRules: RuleSet = {
  name: 'small',
  description: "Lower case without marks; don't is do not, twenty one is 21.",
  words: text =>
    Array.from(text.matchAll(/twenty\sone|[\p{L}\p{N}']+/giu), ({ 0: written, index }) => {
      const word = written.toLowerCase();
      const words = word === "don't" ? ['do', 'not'] : [/^twenty\sone$/.test(word) ? '21' : word];
      return words.map(each => placed(each, index, written.length));
    }).flat(),
};

const placed = (word: string, start: number, length: number) => ({ word, start, end: start + length });
