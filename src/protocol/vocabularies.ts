import { InvalidArgumentError } from '../base/errors.ts';
import { VOCABULARY_LIMITS } from './limits.ts';

/** Phrases that a recogniser should know. */
export interface Vocabulary {
  readonly phrases: readonly string[];
}

/**
 * Reads vocabularies as submitted: `[{ phrases: [...] }]`, where a plain string stands for one phrase.
 *
 * @throws InvalidArgumentError naming the first fault
 */
export function parseVocabularies(json: unknown): readonly Vocabulary[] {
  if (!Array.isArray(json) || json.length < 1 || json.length > VOCABULARY_LIMITS.vocabularies) {
    throw new InvalidArgumentError(`expected a list of 1 to ${VOCABULARY_LIMITS.vocabularies} vocabularies`);
  }
  return json.map(item => ({ phrases: typeof item === 'string' ? [checkPhrase(item)] : checkPhrases(item) }));
}

function checkPhrases(item: unknown): string[] {
  const phrases = (item as { phrases?: unknown } | null)?.phrases;
  if (!Array.isArray(phrases) || phrases.length < 1 || phrases.length > VOCABULARY_LIMITS.phrases) {
    throw new InvalidArgumentError(`expected phrases, a list of 1 to ${VOCABULARY_LIMITS.phrases} strings`);
  }
  return phrases.map(checkPhrase);
}

function checkPhrase(phrase: unknown): string {
  if (typeof phrase !== 'string') throw new InvalidArgumentError('a phrase must be text');
  const fault = phraseFault(phrase);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return phrase.trim();
}

/** What is wrong with a phrase; undefined when nothing is. */
export function phraseFault(phrase: string): string | undefined {
  const { wordsInPhrase, lettersInWord } = VOCABULARY_LIMITS;
  // No more words than it takes to see that there are too many: a phrase may be as long as a body.
  const words = phrase.trim().split(/\s+/, wordsInPhrase + 1);
  if (!/\p{L}/u.test(phrase)) return 'a phrase must have at least one letter';
  if (words.length > wordsInPhrase) return `a phrase may have at most ${wordsInPhrase} words`;
  if (words.some(word => word.length > lettersInWord)) {
    return `a word may have at most ${lettersInWord} characters`;
  }
  return undefined;
}
