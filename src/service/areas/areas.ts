import type { JobRecord } from '../jobs/record.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';
import { alignment } from './alignment.ts';
import type { Area } from './area.ts';
import { languageId } from './languageId.ts';
import { legacy } from './legacy.ts';
import { sentiment } from './sentiment.ts';
import { speechToText } from './speechToText.ts';
import { vocabularies } from './vocabularies.ts';

/** Every area with jobs. Of those that show the same jobs, the first tells of them. */
export const AREAS: readonly Area[] = [speechToText, legacy, languageId, alignment, sentiment, vocabularies];

/** The body of the notification that a job has ended. */
export function describeJob(record: JobRecord): object {
  const area = AREAS.find(({ types }) => types.includes(record.type));
  return { [record.type === VOCABULARY_TYPE ? 'custom_vocabulary' : 'job']: area?.view(record) };
}
