import type { FastifyBaseLogger } from 'fastify';
import type { Jobs } from '../jobs/jobs.ts';
import type { Tasks } from '../jobs/task.ts';
import type { Lanes } from '../jobs/turns.ts';
import { VOCABULARY_TYPE, vocabularyPhrases } from '../vocabularies.ts';
import { alignmentTask } from './alignment.ts';
import { languageIdTask } from './languageId.ts';
import { vocabularyTask } from './phrases.ts';
import { sentimentTask } from './sentiment.ts';
import type { TaskOptions } from './taskOptions.ts';
import { humanTask, transcriptionTask } from './transcription.ts';

export interface ServiceTaskOptions extends Omit<TaskOptions, 'phrasesOf' | 'onError'> {
  readonly logger: FastifyBaseLogger;
  /** Returns the jobs of the service; called while a task runs. */
  readonly jobs: () => Jobs;
}

/** Returns the tasks of a service by job type. */
export function serviceTasks({ logger, jobs, ...engines }: ServiceTaskOptions): Tasks {
  const options: TaskOptions = {
    ...engines,
    phrasesOf: (accountId, id) => vocabularyPhrases(jobs(), accountId, id),
    onError: error => logger.error({ err: error }, 'job failed'),
  };
  return {
    async: transcriptionTask(options),
    human_tc: humanTask(options),
    language_id: languageIdTask(options),
    alignment: alignmentTask(options),
    sentiment_analysis: sentimentTask(options),
    [VOCABULARY_TYPE]: vocabularyTask(options),
  };
}

/** Texts, and vocabularies, processed at the same time: each takes moments on the event loop. */
const SHORT_JOBS_AT_ONCE = 2;

/**
 * Returns the lanes of a service, in which short work does not wait for long work.
 *
 * @param recordingsAtOnce recordings transcribed at the same time; as many are identified, and aligned
 */
export function serviceLanes(recordingsAtOnce: number): Lanes {
  return [
    { name: 'jobs', types: ['async', 'human_tc'], concurrency: recordingsAtOnce },
    { name: 'alignment', types: ['alignment'], concurrency: recordingsAtOnce },
    { name: 'identification', types: ['language_id'], concurrency: recordingsAtOnce },
    { name: 'texts', types: ['sentiment_analysis'], concurrency: SHORT_JOBS_AT_ONCE },
    { name: 'vocabularies', types: [VOCABULARY_TYPE], concurrency: SHORT_JOBS_AT_ONCE },
  ];
}
