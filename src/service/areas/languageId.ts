import { LanguageIdSubmissionSchema } from '../../protocol/submissions.ts';
import { addressOf, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_AREA } from './area.ts';
import { jobView } from './jobView.ts';
import { languageIdResult } from './results.ts';
import { submissionKind } from './submission.ts';

/** Language identification: the language spoken in a recording. */
export const languageId: Area = {
  ...JOB_AREA,
  name: 'languageId',
  title: 'Language identification',
  types: ['language_id'],
  doneStatus: 'completed',
  submission: submissionKind({
    schema: LanguageIdSubmissionSchema,
    example: { source_config: { url: 'https://media.example.org/interview.mp3' } },
    rules: [mediaRule('source_config'), notificationRule],
    takesMedia: true,
    toJob: submission => ({
      type: 'language_id',
      input: { source: addressOf(submission.source_config, submission.media_url) },
    }),
  }),
  view: (record, status) => ({
    ...jobView(record, status),
    processed_duration_seconds: record.durationSeconds,
  }),
  results: [languageIdResult],
};
