import type { Lanes } from '../jobs/lanes.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';

/** Texts, and vocabularies, that are looked at at the same time: each takes moments, of the event loop. */
const SHORT_JOBS_AT_ONCE = 2;

/**
 * Returns the lanes of a service: short work does not wait behind long.
 *
 * @param recordingsAtOnce recordings that are transcribed at the same time; as many are identified, and aligned
 */
export function serviceLanes(recordingsAtOnce: number): Lanes {
  return [
    // Of this name was the one queue of earlier versions, in which other jobs may still wait.
    { name: 'jobs', types: ['async', 'human_tc'], concurrency: recordingsAtOnce },
    { name: 'alignment', types: ['alignment'], concurrency: recordingsAtOnce },
    { name: 'identification', types: ['language_id'], concurrency: recordingsAtOnce },
    { name: 'texts', types: ['sentiment_analysis'], concurrency: SHORT_JOBS_AT_ONCE },
    { name: 'vocabularies', types: [VOCABULARY_TYPE], concurrency: SHORT_JOBS_AT_ONCE },
  ];
}
