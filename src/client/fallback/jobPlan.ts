import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { TranscriptionOptions } from '../jobs/transcriptionArea.ts';

/** Seconds that a service keeps a job at least, so that its transcript can be fetched after an outage of the network. */
export const FETCH_SECONDS = 300;

/** The submission of the job of a hole. */
export interface JobPlan {
  readonly options: TranscriptionOptions;
  /** True when the job is kept longer than asked for: it is deleted as soon as its transcript is here. */
  readonly isDeleted: boolean;
}

/**
 * Returns the options of a job whose transcript matches that of a stream.
 *
 * The transcript of a job that the service deletes at its end, or soon after it, could not be fetched; such a job is kept
 * for {@link FETCH_SECONDS} at most.
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
