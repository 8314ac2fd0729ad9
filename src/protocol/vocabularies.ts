import { InvalidArgumentError } from '../base/errors.ts';
import { VOCABULARY_LIMITS } from './limits.ts';

/** Phrases that a recogniser should prefer, such as names and terms. */
export interface Vocabulary {
  readonly phrases: readonly string[];
}

/**
 * Parses vocabularies as submitted: `[{ phrases: [...] }]`, where a plain string is a vocabulary of one phrase.
 *
 * @throws InvalidArgumentError with the first fault
 */
export function parseVocabularies(json: unknown): readonly Vocabulary[] {
  if (!Array.isArray(json) || json.length < 1 || json.length > VOCABULARY_LIMITS.vocabularies) {
    throw new InvalidArgumentError(`Vocabularies must be a list of 1 to ${VOCABULARY_LIMITS.vocabularies}.`);
  }
  return json.map(item => ({ phrases: typeof item === 'string' ? [checkPhrase(item)] : checkPhrases(item) }));
}

function checkPhrases(item: unknown): string[] {
  const phrases = (item as { phrases?: unknown } | null)?.phrases;
  if (!Array.isArray(phrases) || phrases.length < 1 || phrases.length > VOCABULARY_LIMITS.phrases) {
    throw new InvalidArgumentError(
      `A vocabulary must have a list of 1 to ${VOCABULARY_LIMITS.phrases} phrases.`,
    );
  }
  return phrases.map(checkPhrase);
}

function checkPhrase(phrase: unknown): string {
  if (typeof phrase !== 'string') throw new InvalidArgumentError('A phrase must be a string.');
  const fault = phraseFault(phrase);
  if (fault !== undefined) throw new InvalidArgumentError(`A phrase ${fault}.`);
  return phrase.trim();
}

/** Returns the fault of a phrase as a predicate, such as `must have at least one letter`; undefined when it is valid. */
export function phraseFault(phrase: string): string | undefined {
  const { wordsInPhrase, lettersInWord } = VOCABULARY_LIMITS;
  // Split into one word more than allowed only, as a phrase may be as long as a request body.
  const words = phrase.trim().split(/\s+/, wordsInPhrase + 1);
  if (!/\p{L}/u.test(phrase)) return 'must have at least one letter';
  if (words.length > wordsInPhrase) return `must have at most ${wordsInPhrase} words`;
  if (words.some(word => word.length > lettersInWord)) {
    return `must have words of at most ${lettersInWord} characters`;
  }
  return undefined;
}
