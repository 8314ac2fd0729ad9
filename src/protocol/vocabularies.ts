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
  if (typeof phrase !== 'string' || !/\p{L}/u.test(phrase)) {
    throw new InvalidArgumentError('a phrase must be text with at least one letter');
  }
  const words = phrase.trim().split(/\s+/);
  if (words.length > VOCABULARY_LIMITS.wordsInPhrase) {
    throw new InvalidArgumentError(`a phrase may have at most ${VOCABULARY_LIMITS.wordsInPhrase} words`);
  }
  if (words.some(word => word.length > VOCABULARY_LIMITS.lettersInWord)) {
    throw new InvalidArgumentError(`a word may have at most ${VOCABULARY_LIMITS.lettersInWord} characters`);
  }
  return phrase.trim();
}
