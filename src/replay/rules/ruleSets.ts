import { InvalidArgumentError } from '../../base/errors.ts';
import { englishRules } from './english/englishRules.ts';
import { type Equivalence, withEquivalences } from './equivalences.ts';
import type { RuleSet } from './ruleSet.ts';
import { unicodeRules } from './unicodeRules.ts';

/** Names for {@link ruleSetNamed}. `unicode-1` may have a language: `unicode-1:de`. */
export const RULE_SET_NAMES = ['english-1', 'unicode-1', 'plain-1'] as const;

/**
 * Returns the rule set of a name.
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
    `Rule set '${name}' is not known (known: ${RULE_SET_NAMES.join(', ')}, or a language as in unicode-1:de).`,
  );
}

/**
 * Returns the rule set of a language: `english-1` for English (`en`, `en-GB`, `en_us`), else `unicode-1` with the
 * language.
 *
 * @throws InvalidArgumentError for anything but a language tag (BCP 47, also with underscores)
 * @example
 * ruleSetFor('en_us').name // 'english-1'
 * ruleSetFor('pt-BR').name // 'unicode-1:pt-BR'
 */
export function ruleSetFor(language: string): RuleSet {
  const locale = localeOf(language);
  return /^en(?:-|$)/.test(locale) ? englishRules : unicodeRules(locale);
}

/**
 * Returns the rule set of a name, or else of the language, with the equivalences of a user.
 *
 * @throws InvalidArgumentError for an unknown language or name
 */
export function ruleSetOf(language: string, name?: string, equivalences?: readonly Equivalence[]): RuleSet {
  const usual = ruleSetFor(language);
  const rules = name === undefined ? usual : ruleSetNamed(name);
  return equivalences ? withEquivalences(rules, equivalences) : rules;
}

function localeOf(language: string): string {
  try {
    return new Intl.Locale(language.replaceAll('_', '-')).toString();
  } catch (cause) {
    throw new InvalidArgumentError(`'${language}' is not a language tag such as en, de or zh-TW.`, { cause });
  }
}

/** Splits a text at white space and changes nothing else, as scorers without rules do. */
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
