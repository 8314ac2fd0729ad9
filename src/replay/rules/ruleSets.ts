import { InvalidArgumentError } from '../../base/errors.ts';
import { englishRules } from './english/englishRules.ts';
import type { RuleSet } from './ruleSet.ts';
import { unicodeRules } from './unicodeRules.ts';

/** Names that {@link ruleSetNamed} takes; `unicode-1` also with a language: `unicode-1:de`. */
export const RULE_SET_NAMES = ['english-1', 'unicode-1', 'plain-1'] as const;

/**
 * The rule set of a name.
 *
 * @throws InvalidArgumentError for any other name, with the list of names
 * @example
 * ruleSetNamed('plain-1').words('Well, yes.').map(({ word }) => word) // ['Well,', 'yes.']
 */
export function ruleSetNamed(name: string): RuleSet {
  if (name === 'english-1') return englishRules;
  if (name === 'plain-1') return plainRules;
  if (name === 'unicode-1') return unicodeRules();
  if (name.startsWith('unicode-1:')) return unicodeRules(localeOf(name.slice('unicode-1:'.length)));
  throw new InvalidArgumentError(
    `rules: wanted one of ${RULE_SET_NAMES.join(', ')} (unicode-1 also with a language: unicode-1:de), found ${JSON.stringify(name)}`,
  );
}

/**
 * The rule set of a language: `english-1` for English (`en`, `en-GB`, `en_us`), else `unicode-1` with the language.
 *
 * @throws InvalidArgumentError for what is no language tag (BCP 47, also with underscores)
 * @example
 * ruleSetFor('en_us').name // 'english-1'
 * ruleSetFor('pt-BR').name // 'unicode-1:pt-BR'
 */
export function ruleSetFor(language: string): RuleSet {
  const locale = localeOf(language);
  return /^en(?:-|$)/.test(locale) ? englishRules : unicodeRules(locale);
}

function localeOf(language: string): string {
  try {
    return new Intl.Locale(language.replaceAll('_', '-')).toString();
  } catch (cause) {
    throw new InvalidArgumentError(
      `rules: wanted a language such as en, de or zh-TW, found ${JSON.stringify(language)}`,
      { cause },
    );
  }
}

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
