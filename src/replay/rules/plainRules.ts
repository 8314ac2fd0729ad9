import type { RuleSet } from './ruleSet.ts';

/** Split at white space and nothing else: what scorers do that are given no rules. */
export const plainRules: RuleSet = {
  name: 'plain-1',
  description: 'Words as they are written, split at white space.',
  words: text =>
    Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({
      word,
      start: index,
      end: index + word.length,
    })),
};
