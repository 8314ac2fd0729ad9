import { JobSchema } from '../../protocol/jobs.ts';
import { LIST_WINDOW_DAYS } from '../../protocol/limits.ts';
import { type SpeechToTextSubmission, SpeechToTextSubmissionSchema } from '../../protocol/submissions.ts';
import type { HumanInput } from '../tasks/inputs.ts';
import { addressOf, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_NOUN } from './area.ts';
import { jobView } from './jobView.ts';
import { languageRule } from './languageRule.ts';
import { segmentsOf, segmentsRule } from './segmentsRule.ts';
import { submissionKind } from './submission.ts';
import { transcriptionInput } from './transcriptionInput.ts';
import { captionsResult, transcriptResult } from './transcriptResults.ts';
import { humanTermsRule, oneVocabularyRule, phrasesRule } from './vocabularyRules.ts';

const DONE = 'transcribed';

/** Asynchronous and streaming speech-to-text. */
export const speechToText: Area = {
  name: 'speechToText',
  title: 'Asynchronous speech-to-text',
  noun: JOB_NOUN,
  types: ['async', 'human_tc', 'stream'],
  listWindowDays: LIST_WINDOW_DAYS,
  doneWord: DONE,
  submission: submissionKind({
    schema: SpeechToTextSubmissionSchema,
    example: {
      source_config: { url: 'https://media.example.org/interview.mp3' },
      notification_config: { url: 'https://example.org/ended' },
      metadata: 'interview 7',
      remove_disfluencies: true,
      custom_vocabularies: [{ phrases: ['Ada Lovelace', 'analytical engine'] }],
    },
    rules: [
      ...[mediaRule, notificationRule, languageRule, segmentsRule],
      ...[phrasesRule, oneVocabularyRule, humanTermsRule],
    ],
    takesMedia: true,
    namesVocabulary: true,
    toJob(submission) {
      const isHuman = submission.transcriber === 'human';
      return {
        type: isHuman ? 'human_tc' : 'async',
        language: submission.language ?? 'en',
        isUrgent: isHuman && submission.rush === true,
        input: {
          source: addressOf(submission.source_config, submission.media_url),
          ...transcriptionInput(submission),
          ...(isHuman && { human: humanInput(submission) }),
        },
      };
    },
  }),
  viewSchema: JobSchema,
  view: record => jobView(record, DONE),
  results: [transcriptResult({ times: 'hh:mm:ss' }), captionsResult],
  notFound: 'jobNotFound',
};

function humanInput(submission: SpeechToTextSubmission): HumanInput {
  const {
    verbatim = false,
    rush = false,
    segments_to_transcribe: segments,
    speaker_names: names,
  } = submission;
  return {
    verbatim,
    rush,
    segments: segments && segmentsOf(segments),
    speakerNames: names?.map(name => name.display_name),
  };
}
