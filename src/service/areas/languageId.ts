import { JobSchema } from '../../protocol/jobs.ts';
import { LIST_WINDOW_DAYS } from '../../protocol/limits.ts';
import { LanguageIdSubmissionSchema } from '../../protocol/submissions.ts';
import { addressOf, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_NOUN } from './area.ts';
import { jobView } from './jobView.ts';
import { languageIdResult } from './results.ts';
import { submissionKind } from './submission.ts';

const DONE = 'completed';

/** Language identification: the language spoken in a recording. */
export const languageId: Area = {
  name: 'languageId',
  title: 'Language identification',
  noun: JOB_NOUN,
  types: ['language_id'],
  listWindowDays: LIST_WINDOW_DAYS,
  doneStatus: DONE,
  submission: submissionKind({
    schema: LanguageIdSubmissionSchema,
    example: { source_config: { url: 'https://media.example.org/interview.mp3' } },
    rules: [mediaRule, notificationRule],
    takesMedia: true,
    toJob: submission => ({
      type: 'language_id',
      input: { source: addressOf(submission.source_config, submission.media_url) },
    }),
  }),
  viewSchema: JobSchema,
  view: record => ({ ...jobView(record, DONE), processed_duration_seconds: record.durationSeconds }),
  results: [languageIdResult],
  notFound: 'jobNotFound',
};
