import type { PhraseFault } from '../../engines/recognizer.ts';
import { MAX_UNUSABLE_PHRASES } from '../../protocol/limits.ts';
import { JobFailedError, type Task } from '../jobs/task.ts';
import { PHRASES_RESULT } from '../vocabularies.ts';
import { callEngine } from './engineCall.ts';
import type { TranscriptionInput, VocabularyInput } from './inputs.ts';
import { RECOGNIZER } from './speech.ts';
import type { TaskOptions } from './taskOptions.ts';

/** Phrases, told apart by whether the recogniser can use them. */
export interface InspectedPhrases {
  readonly phrases: readonly string[];
  /** The first {@link MAX_UNUSABLE_PHRASES}. */
  readonly unusablePhrases: readonly PhraseFault[];
}

/**
 * Phrases for a job: those that came with it, or those of the vocabulary that it names.
 *
 * @throws JobFailedError `custom_vocabulary`
 */
export async function phrasesFor(
  accountId: string,
  { phrases = [], vocabularyId }: Pick<TranscriptionInput, 'phrases' | 'vocabularyId'>,
  options: TaskOptions,
): Promise<InspectedPhrases> {
  if (vocabularyId === undefined) return inspectPhrases(phrases, options);
  const known = await options.phrasesOf(accountId, vocabularyId);
  if (known) return { phrases: known, unusablePhrases: [] };
  throw new JobFailedError('custom_vocabulary', 'The custom vocabulary is not there, or not complete');
}

/**
 * Looks phrases over.
 *
 * @throws JobFailedError `custom_vocabulary` when the recogniser takes none at all
 */
export async function inspectPhrases(
  phrases: readonly string[],
  options: Pick<TaskOptions, 'recognizer' | 'onError'>,
): Promise<InspectedPhrases> {
  const { recognizer } = options;
  if (phrases.length === 0) return { phrases, unusablePhrases: [] };
  if (!recognizer.capabilities.customVocabulary) {
    throw new JobFailedError('custom_vocabulary', 'The recogniser takes no custom vocabulary');
  }
  const inspect = () => recognizer.inspectPhrases(phrases);
  const faults = await callEngine({ ...RECOGNIZER, failure: 'custom_vocabulary' }, inspect, options);
  const unusable = new Set(faults.map(({ phrase }) => phrase));
  return {
    phrases: phrases.filter(phrase => !unusable.has(phrase)),
    unusablePhrases: faults.slice(0, MAX_UNUSABLE_PHRASES),
  };
}

/** Reasons that are told where all phrases of a vocabulary have one. */
const MAX_REASONS = 3;

/** Looks the phrases of a custom vocabulary over, and keeps those that can be used. */
export function vocabularyTask(options: Pick<TaskOptions, 'recognizer' | 'onError'>): Task {
  return async (_job, { input }) => {
    const { phrases, unusablePhrases } = await inspectPhrases((input as VocabularyInput).phrases, options);
    const findings = unusablePhrases.length > 0 ? { unusablePhrases } : undefined;
    if (phrases.length === 0) {
      const reasons = [...new Set(unusablePhrases.map(({ reason }) => reason))].slice(0, MAX_REASONS);
      const detail = `No phrase can be used: ${reasons.join('; ')}`;
      throw new JobFailedError('custom_vocabulary', detail, { findings });
    }
    return { results: { [PHRASES_RESULT]: JSON.stringify(phrases) }, ...(findings && { findings }) };
  };
}
