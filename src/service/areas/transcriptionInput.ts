import type { LegacySubmission } from '../../protocol/submissions.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import { phrasesOf } from './vocabularyRules.ts';

/** Returns the options of a transcription. Undefined values are left out of JSON. */
export function transcriptionInput(
  submission: LegacySubmission,
): Omit<TranscriptionInput, 'source' | 'human'> {
  const { custom_vocabularies: vocabularies } = submission;
  return {
    phrases: vocabularies && phrasesOf(vocabularies),
    vocabularyId: submission.custom_vocabulary_id,
    skipDiarization: submission.skip_diarization,
    skipPunctuation: submission.skip_punctuation,
    skipPostprocessing: submission.skip_postprocessing,
    filterProfanity: submission.filter_profanity,
    removeDisfluencies: submission.remove_disfluencies,
    speakerChannelsCount: submission.speaker_channels_count,
    speakersCount: submission.speakers_count,
  };
}
