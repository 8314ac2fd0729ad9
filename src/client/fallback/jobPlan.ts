import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { TranscriptionOptions } from '../jobs/transcriptionArea.ts';

/** How long a service keeps a job at least, so that its transcript can be fetched even if the network is away for a while. */
export const FETCH_SECONDS = 300;

/** How the job of a hole is submitted. */
export interface JobPlan {
  readonly options: TranscriptionOptions;
  /** The job was to be gone sooner than its transcript can be had: it is deleted as soon as that is here. */
  readonly isDeleted: boolean;
}

/**
 * What a job is asked for, so that its transcript is as that of the stream would have been.
 *
 * A service that deletes a job at its end, or soon after it, leaves nobody a transcript; such a job is kept for
 * {@link FETCH_SECONDS} at most.
 */
export function jobPlan(query: Omit<StreamQuery, 'contentType'>): JobPlan {
  const { language, customVocabularyId, customVocabularies, metadata } = query;
  const { filterProfanity, removeDisfluencies, skipPostprocessing, deleteAfterSeconds } = query;
  const isDeleted = deleteAfterSeconds !== undefined && deleteAfterSeconds < FETCH_SECONDS;
  return {
    options: {
      language,
      customVocabularyId,
      customVocabularies,
      metadata,
      filterProfanity,
      removeDisfluencies,
      skipPostprocessing,
      skipDiarization: !query.enableSpeakerSwitch,
      deleteAfterSeconds: isDeleted ? FETCH_SECONDS : deleteAfterSeconds,
    },
    isDeleted,
  };
}
