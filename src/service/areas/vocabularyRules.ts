import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import type { VocabularySubmission } from '../../protocol/submissions.ts';
import { phraseFault } from '../../protocol/vocabularies.ts';
import type { Fault } from './faults.ts';
import type { Rule } from './submission.ts';

type VocabulariesJson = VocabularySubmission['custom_vocabularies'];

/** Returns all phrases of vocabularies. */
export function phrasesOf(vocabularies: VocabulariesJson): readonly string[] {
  return vocabularies
    .flatMap(item => (typeof item === 'string' ? [item] : item.phrases))
    .map(phrase => phrase.trim());
}

interface WithVocabularies {
  readonly custom_vocabularies?: VocabulariesJson;
}

/** Requires phrases of words, within the limits of number and length. */
export const phrasesRule: Rule<WithVocabularies> = {
  fields: ['custom_vocabularies'],
  *check({ custom_vocabularies: vocabularies = [] }) {
    for (const [index, item] of vocabularies.entries()) {
      const name = `custom_vocabularies[${index}]`;
      if (typeof item === 'string') yield* checkPhrase(name, item);
      else {
        for (const [at, phrase] of item.phrases.entries())
          yield* checkPhrase(`${name}.phrases[${at}]`, phrase);
        yield undefined;
      }
    }
  },
};

function* checkPhrase(name: string, phrase: string): Generator<Fault> {
  const fault = phraseFault(phrase);
  if (fault !== undefined) yield [name, fault];
}

/** Refuses vocabularies given both inline and by id. */
export const oneVocabularyRule: Rule<WithVocabularies & { readonly custom_vocabulary_id?: string }> = {
  fields: ['custom_vocabularies', 'custom_vocabulary_id'],
  *check({ custom_vocabularies: vocabularies, custom_vocabulary_id: id }) {
    if (vocabularies && id !== undefined) {
      yield ['custom_vocabulary_id', 'must not be given together with custom_vocabularies'];
    }
  },
};

/** Limits the number of phrases for human transcribers. */
export const humanTermsRule: Rule<WithVocabularies & { readonly transcriber?: string }> = {
  fields: ['custom_vocabularies', 'transcriber'],
  *check({ custom_vocabularies: vocabularies, transcriber }) {
    const { terms } = HUMAN_LIMITS;
    if (transcriber === 'human' && vocabularies && phrasesOf(vocabularies).length > terms) {
      yield ['custom_vocabularies', `must not have more than ${terms} phrases for a human transcriber`];
    }
  },
};
