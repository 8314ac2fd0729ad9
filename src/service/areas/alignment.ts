import { type AlignmentSubmission, AlignmentSubmissionSchema } from '../../protocol/submissions.ts';
import { addressOf, checkConfig, mediaRule, notificationRule } from './addressRules.ts';
import { type Area, JOB_AREA } from './area.ts';
import { jobView } from './jobView.ts';
import { languageRule } from './languageRule.ts';
import { alignmentTranscript } from './results.ts';
import { type Rule, submissionKind } from './submission.ts';

/** Requires the words, either inline or by an address. */
const wordsRule: Rule<AlignmentSubmission> = {
  fields: ['source_transcript_config', 'transcript_text'],
  *check({ source_transcript_config: source, transcript_text: text }, context) {
    yield* checkConfig('source_transcript_config', source, context);
    if (source && text !== undefined) {
      yield ['transcript_text', 'must not be given together with source_transcript_config'];
    }
    if (!source && text === undefined) {
      yield ['transcript_text', 'is required, unless source_transcript_config is given'];
    }
    if (text !== undefined && !/\p{L}|\p{N}/u.test(text)) yield ['transcript_text', 'must have words'];
  },
};

/** Forced alignment: the times of the words of a given text. */
export const alignment: Area = {
  ...JOB_AREA,
  name: 'alignment',
  title: 'Forced alignment',
  types: ['alignment'],
  doneStatus: 'completed',
  submission: submissionKind({
    schema: AlignmentSubmissionSchema,
    example: {
      source_config: { url: 'https://media.example.org/speech.mp3' },
      transcript_text: 'four score and seven years ago',
    },
    rules: [mediaRule('source_config'), notificationRule, languageRule, wordsRule],
    takesMedia: true,
    toJob: submission => ({
      type: 'alignment',
      language: submission.language,
      input: {
        source: addressOf(submission.source_config, submission.media_url),
        text: submission.transcript_text,
        textSource: addressOf(submission.source_transcript_config),
      },
    }),
  }),
  view: (record, status) => ({
    ...jobView(record, status),
    processed_duration_seconds: record.durationSeconds,
  }),
  results: [alignmentTranscript],
};
