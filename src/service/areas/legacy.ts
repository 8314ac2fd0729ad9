import { type LegacyJob, LegacyJobSchema } from '../../protocol/jobs.ts';
import { LEGACY_LIST_WINDOW_DAYS } from '../../protocol/limits.ts';
import { LegacySubmissionSchema } from '../../protocol/submissions.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { addressOf, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_AREA } from './area.ts';
import { commonView } from './jobView.ts';
import { languageRule } from './languageRule.ts';
import { transcriptResult } from './results.ts';
import { submissionKind } from './submission.ts';
import { transcriptionInput } from './transcriptionInput.ts';
import { oneVocabularyRule, phrasesRule } from './vocabularyRules.ts';

/** The older version of asynchronous speech-to-text: the same jobs with fewer fields. */
export const legacy: Area = {
  ...JOB_AREA,
  name: 'legacy',
  title: 'Legacy transcription',
  types: ['async'],
  listWindowDays: LEGACY_LIST_WINDOW_DAYS,
  doneStatus: 'transcribed',
  submission: submissionKind({
    schema: LegacySubmissionSchema,
    example: {
      media_url: 'https://media.example.org/interview.mp3',
      callback_url: 'https://example.org/ended',
      metadata: 'interview 7',
    },
    rules: [mediaRule('media_url'), notificationRule, languageRule, phrasesRule, oneVocabularyRule],
    takesMedia: true,
    namesVocabulary: true,
    toJob: submission => ({
      type: 'async',
      language: submission.language,
      input: { source: addressOf(undefined, submission.media_url), ...transcriptionInput(submission) },
    }),
  }),
  viewSchema: LegacyJobSchema,
  view: legacyView,
  results: [transcriptResult({ times: 'mm:ss', gap: ' ' })],
};

/** Returns a job as shown by the older version: without its media until it has ended. */
function legacyView(record: JobRecord, status: string): LegacyJob {
  const options = record.options as {
    media_url?: string;
    source_config?: { url: string };
    callback_url?: string;
    notification_config?: { url: string };
    ignored_options?: string[];
  };
  const view = {
    ...commonView(record, status),
    callback_url: options?.callback_url ?? options?.notification_config?.url,
    ignored_options: options?.ignored_options,
  };
  if (record.status === 'in_progress') return view;
  return {
    ...view,
    name: record.name,
    media_url: options?.media_url ?? options?.source_config?.url,
    duration_seconds: record.durationSeconds && Math.round(record.durationSeconds),
  };
}
