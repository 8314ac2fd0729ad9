import { VOCABULARY_LIMITS } from '../../protocol/limits.ts';
import { phraseFault } from '../../protocol/vocabularies.ts';

/** Marks between the items of a list, and the ends of sentences, but not after initials. */
const SEPARATORS = /[,;\n\r\t"“”()]+|(?<![.:!?])(?<!(?<!\p{L})\p{Lu})[.:!?]+(?=\s|$)/u;
/** Characters of all prompts that are read: more than any model takes, and little work. */
const MAX_LENGTH = 32_768;
/** Words of an item of a list; more of them are a sentence. */
const MAX_ITEM_WORDS = 4;
/** Names within a sentence, its first word excepted. */
const NAMES = /(?<=\s)\p{Lu}[\p{L}\p{N}'’.&-]*(?:\s+\p{Lu}[\p{L}\p{N}'’.&-]*)*/gu;

/**
 * Returns the phrases in prompts as other services take them: the items of lists, and the names in sentences. Phrases that a
 * vocabulary cannot have, and text beyond 32,768 characters, are left out.
 *
 * @example
 * phrasesIn(['Dashwood, Norland Park', 'A letter that Mrs Ferrars wrote to her son.'])
 * // ['Dashwood', 'Norland Park', 'Mrs Ferrars']
 */
export function phrasesIn(prompts: readonly string[]): readonly string[] {
  const items = prompts
    .join('\n')
    .slice(0, MAX_LENGTH)
    .split(SEPARATORS)
    .map(item => item.trim());
  return usablePhrases(items.flatMap(item => (isSentence(item) ? (item.match(NAMES) ?? []) : [item])));
}

/** Returns the phrases that a vocabulary can have, each once, as many as it may have. */
export function usablePhrases(phrases: readonly string[]): readonly string[] {
  const usable = phrases.filter(phrase => phraseFault(phrase) === undefined);
  return [...new Set(usable)].slice(0, VOCABULARY_LIMITS.phrases);
}

const isSentence = (item: string) => item.split(/\s+/, MAX_ITEM_WORDS + 1).length > MAX_ITEM_WORDS;
