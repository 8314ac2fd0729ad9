import { JobFailedError, type Task } from '../jobs/task.ts';
import { PHRASES_RESULT } from '../vocabularies.ts';
import type { VocabularyInput } from './inputs.ts';
import { inspectPhrases } from './phrases.ts';
import type { TaskOptions } from './taskOptions.ts';

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
