import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { TranscriptionOptions } from '../jobs/areaTypes.ts';

/**
 * Minimum seconds that a service keeps a job, so that its transcript can be fetched: after an outage of the network, or by
 * the next process that waits for a person.
 */
const FETCH_SECONDS = { machine: 300, human: 7 * 24 * 3600 } as const;

/** A transcriber other than the machine. */
export type Transcriber = 'human';

/** The submission of the job of a hole. */
export interface JobPlan {
  readonly options: TranscriptionOptions;
  /** True when the job is kept longer than requested: it is deleted as soon as its transcript was fetched. */
  readonly isDeleted: boolean;
}

/**
 * Returns the options of a job whose transcript matches that of a stream.
 *
 * The transcript of a job that the service deletes at its end, or soon after it, could not be fetched; such a job is kept
 * for {@link FETCH_SECONDS} at most. A person gets the first {@link HUMAN_LIMITS.terms} phrases of the vocabularies.
 */
export function jobPlan(query: StreamOptions, transcriber?: Transcriber): JobPlan {
  const { language, customVocabularyId, customVocabularies, metadata } = query;
  const { filterProfanity, removeDisfluencies, skipPostprocessing, deleteAfterSeconds } = query;
  const keptSeconds = FETCH_SECONDS[transcriber ?? 'machine'];
  const isDeleted = deleteAfterSeconds !== undefined && deleteAfterSeconds < keptSeconds;
  // Without a requested retention, the account may delete jobs at their end: a person's work would be lost.
  const isExplicit = isDeleted || (transcriber === 'human' && deleteAfterSeconds === undefined);
  return {
    options: {
      language,
      customVocabularyId,
      customVocabularies: transcriber === 'human' ? firstPhrases(customVocabularies) : customVocabularies,
      metadata,
      filterProfanity,
      removeDisfluencies,
      skipPostprocessing,
      skipDiarization: !query.enableSpeakerSwitch,
      deleteAfterSeconds: isExplicit ? keptSeconds : deleteAfterSeconds,
      transcriber,
    },
    isDeleted,
  };
}

function firstPhrases(
  vocabularies: StreamOptions['customVocabularies'],
): StreamOptions['customVocabularies'] {
  const phrases = (vocabularies ?? []).flatMap(vocabulary => vocabulary.phrases).slice(0, HUMAN_LIMITS.terms);
  return phrases.length > 0 ? [{ phrases }] : undefined;
}
