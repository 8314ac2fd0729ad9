import type { FastifyInstance } from 'fastify';
import type { JobRecord } from '../store/jobRecord.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';
import { alignment } from './alignment.ts';
import type { Area, AreaContext } from './area.ts';
import { collectionsOf } from './areaPaths.ts';
import { jobRoutes, listRoute } from './jobRoutes.ts';
import { viewIn } from './jobView.ts';
import { languageId } from './languageId.ts';
import { legacy } from './legacy.ts';
import { resultRoute } from './resultRoute.ts';
import { sentiment } from './sentiment.ts';
import { speechToText } from './speechToText.ts';
import { submitRoute } from './submitRoute.ts';
import { vocabularies } from './vocabularies.ts';

/** The areas with jobs. Notifications about a job use the view of the first area with its type. */
export const AREAS: readonly Area[] = [speechToText, legacy, languageId, alignment, sentiment, vocabularies];

/** Returns the body of the notification that a job has ended. */
export function describeJob(record: JobRecord): object {
  const area = AREAS.find(({ types }) => types.includes(record.type));
  return { [record.type === VOCABULARY_TYPE ? 'custom_vocabulary' : 'job']: area && viewIn(area, record) };
}

/** Adds all routes of an area. */
export function areaRoutes(app: FastifyInstance, area: Area, context: AreaContext): void {
  for (const path of collectionsOf(area.name, context.names)) {
    submitRoute(app, path, area, context);
    listRoute(app, path, area, context);
    jobRoutes(app, path, area, context);
    for (const kind of area.results) resultRoute(app, path, { area, kind, context });
  }
}
