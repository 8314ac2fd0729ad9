import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { areaRoutes } from './areas/areaRoutes.ts';
import { AREAS, describeJob } from './areas/areas.ts';
import { type KeepingOptions, keepInStore } from './keepInStore.ts';
import type { Keeping } from './keeping.ts';
import { addReference } from './openApi/reference.ts';
import { accountRoutes, openRoutes, type RoutesOptions } from './routes.ts';
import { serviceLanes } from './tasks/serviceLanes.ts';
import { type ServiceTaskOptions, serviceTasks } from './tasks/serviceTasks.ts';

export interface KeepJobsOptions
  extends Omit<KeepingOptions, 'tasks' | 'describe' | 'lanes'>,
    Omit<ServiceTaskOptions, 'jobs'> {
  /** Recordings that are transcribed at the same time. */
  readonly jobsAtOnce: number;
}

/**
 * Everything of a service that has jobs: the store, what runs for each, and what the areas show of them. Who keeps none
 * need not load it.
 *
 * @throws RxscribeError `store`, `invalid-argument`
 */
export function keepJobs(options: KeepJobsOptions): Keeping {
  const keeping = keepInStore({
    ...options,
    tasks: serviceTasks({ ...options, jobs: () => keeping.jobs }),
    describe: describeJob,
    lanes: serviceLanes(options.jobsAtOnce),
  });
  return { ...keeping, addRoutes };
}

function addRoutes(app: FastifyInstance, options: RoutesOptions): void {
  addReference(app, options);
  app.register(async scope => openRoutes(scope, options));
  app.register(async scope => {
    await scope.register(multipart);
    accountRoutes(scope, options);
    for (const area of AREAS) {
      if (options.region.areas.includes(area.name)) areaRoutes(scope, area, options);
    }
  });
}
