import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Tasks } from '../jobs/task.ts';
import type { JobLimits } from '../limits.ts';
import { createAddressGuard } from '../outbound/addressGuard.ts';
import { vocabularyPhrases } from '../vocabularies.ts';
import type { TaskEngines } from './taskOptions.ts';
import { createTasks } from './tasks.ts';

export interface ServiceTaskOptions extends TaskEngines {
  readonly allowPrivateAddresses: boolean;
  readonly limits: JobLimits;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  /** The jobs that the tasks are for, asked when one runs. */
  readonly jobs: () => Jobs;
}

/** What runs for each type of job of a service. */
export function serviceTasks({ logger, jobs, ...options }: ServiceTaskOptions): Tasks {
  return createTasks({
    ...options,
    guard: createAddressGuard({ allowPrivate: options.allowPrivateAddresses }),
    phrasesOf: (accountId, id) => vocabularyPhrases(jobs(), accountId, id),
    onError: error => logger.error({ err: error }, 'job fault'),
  });
}
