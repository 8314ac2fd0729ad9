import type { PhraseFault } from '../../engines/recognizer.ts';
import { MAX_UNUSABLE_PHRASES } from '../../protocol/limits.ts';
import { JobFailedError, type Task } from '../jobs/task.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { PHRASES_RESULT } from '../vocabularies.ts';
import { callEngine } from './engineCall.ts';
import type { TranscriptionInput, VocabularyInput } from './inputs.ts';
import { RECOGNIZER } from './speech.ts';
import type { TaskOptions } from './taskOptions.ts';

/** Phrases, divided by whether the recogniser can use them. */
export interface InspectedPhrases {
  readonly phrases: readonly string[];
  /** The first {@link MAX_UNUSABLE_PHRASES}. */
  readonly unusablePhrases: readonly PhraseFault[];
}

/**
 * Returns the phrases for a job: its own, or those of its vocabulary.
 *
 * @throws JobFailedError `custom_vocabulary`
 */
export async function phrasesFor(
  { accountId }: Pick<JobRecord, 'accountId'>,
  { phrases = [], vocabularyId }: Pick<TranscriptionInput, 'phrases' | 'vocabularyId'>,
  options: TaskOptions,
): Promise<InspectedPhrases> {
  if (vocabularyId === undefined) return inspectPhrases(phrases, options);
  const known = await options.phrasesOf(accountId, vocabularyId);
  if (known) return { phrases: known, unusablePhrases: [] };
  throw new JobFailedError('custom_vocabulary', 'The custom vocabulary does not exist, or is not complete.');
}

/**
 * Checks phrases with the recogniser.
 *
 * @throws JobFailedError `custom_vocabulary` when the recogniser supports no phrases
 */
export async function inspectPhrases(
  phrases: readonly string[],
  options: Pick<TaskOptions, 'recognizer' | 'onError'>,
): Promise<InspectedPhrases> {
  const { recognizer } = options;
  if (phrases.length === 0) return { phrases, unusablePhrases: [] };
  if (!recognizer.capabilities.customVocabulary) {
    throw new JobFailedError('custom_vocabulary', 'The recogniser does not support custom vocabularies.');
  }
  const inspect = () => recognizer.inspectPhrases(phrases);
  const faults = await callEngine({ ...RECOGNIZER, failure: 'custom_vocabulary' }, inspect, options);
  const unusable = new Set(faults.map(({ phrase }) => phrase));
  return {
    phrases: phrases.filter(phrase => !unusable.has(phrase)),
    unusablePhrases: faults.slice(0, MAX_UNUSABLE_PHRASES),
  };
}

/** Reasons reported when no phrase of a vocabulary can be used. */
const MAX_REASONS = 3;

/** Creates the task of custom vocabularies: checks the phrases, and stores those that can be used. */
export function vocabularyTask(options: Pick<TaskOptions, 'recognizer' | 'onError'>): Task {
  return async (_job, { input }) => {
    const { phrases, unusablePhrases } = await inspectPhrases((input as VocabularyInput).phrases, options);
    const findings = unusablePhrases.length > 0 ? { unusablePhrases } : undefined;
    if (phrases.length === 0) {
      const reasons = [...new Set(unusablePhrases.map(({ reason }) => reason))].slice(0, MAX_REASONS);
      const detail = `No phrase can be used: ${reasons.join('; ')}.`;
      throw new JobFailedError('custom_vocabulary', detail, { findings });
    }
    return { results: { [PHRASES_RESULT]: JSON.stringify(phrases) }, ...(findings && { findings }) };
  };
}
