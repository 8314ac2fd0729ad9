import { type Static, Type } from 'typebox';
import { MAX_IGNORED_OPTIONS, MAX_METADATA_LENGTH, MAX_UNUSABLE_PHRASES, MAX_WARNINGS } from './limits.ts';
import { SegmentSchema, SpeakerNameSchema } from './submissions.ts';

export const JobTypeSchema = Type.Union([
  Type.Literal('async'),
  Type.Literal('human_tc'),
  Type.Literal('stream'),
  Type.Literal('language_id'),
  Type.Literal('alignment'),
  Type.Literal('sentiment_analysis'),
]);

/** The reason for which a job failed. */
export const JobFailureSchema = Type.Union(
  [
    Type.Literal('download_failure'),
    Type.Literal('invalid_media'),
    Type.Literal('empty_media'),
    Type.Literal('duration_too_short'),
    Type.Literal('duration_exceeded'),
    Type.Literal('transcription'),
    Type.Literal('insufficient_balance'),
    Type.Literal('custom_vocabulary'),
    Type.Literal('internal_processing'),
  ],
  { description: 'The kind of the failure.' },
);

const AddressViewSchema = Type.Object({ url: Type.String() });

const time = (description: string) => Type.String({ format: 'date-time', description });

/** Fields of all jobs; fields without a value are left out. */
const COMMON = {
  id: Type.String(),
  status: Type.String({
    description:
      '`in_progress`; when done `transcribed` (speech-to-text), `completed` (other areas) or `complete` (vocabularies); `failed`.',
  }),
  created_on: time('ISO 8601, UTC.'),
  completed_on: Type.Optional(time('Time of the end, successful or not.')),
  metadata: Type.Optional(Type.String()),
  notification_config: Type.Optional(AddressViewSchema),
  callback_url: Type.Optional(Type.String()),
  ignored_options: Type.Optional(
    Type.Array(Type.String(), {
      description: `Names of the submitted fields that had no effect, the first ${MAX_IGNORED_OPTIONS} of them.`,
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: `What is wrong with media that could still be read, such as damage; at most ${MAX_WARNINGS}.`,
    }),
  ),
  failure: Type.Optional(JobFailureSchema),
  failure_detail: Type.Optional(Type.String({ description: 'The reason of the failure, for people.' })),
  notification_failure: Type.Optional(
    Type.String({ description: 'Why the last attempt to notify failed, until one succeeds.' }),
  ),
};

/** A phrase that the recogniser cannot use, and why. */
export const UnusablePhraseSchema = Type.Object({ phrase: Type.String(), reason: Type.String() });

const unusablePhrases = Type.Optional(
  Type.Array(UnusablePhraseSchema, {
    description: `Phrases that the recogniser cannot use, the first ${MAX_UNUSABLE_PHRASES} of them.`,
  }),
);

/** A job of a v1 area. It echoes the options of the submission, but no texts and vocabularies. */
export const JobSchema = Type.Object(
  {
    ...COMMON,
    type: JobTypeSchema,
    name: Type.Optional(Type.String({ description: 'Name of the media file.' })),
    source_config: Type.Optional(AddressViewSchema),
    media_url: Type.Optional(Type.String()),
    source_transcript_config: Type.Optional(AddressViewSchema),
    language: Type.Optional(Type.String({ description: 'Language code.' })),
    progress: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'Percent of the work that is done, for jobs in progress whose media states its duration.',
      }),
    ),
    duration_seconds: Type.Optional(
      Type.Number({ description: 'Seconds of media, for jobs that are done.' }),
    ),
    processed_duration_seconds: Type.Optional(
      Type.Number({
        description: 'Seconds of media, for jobs of language identification and alignment that are done.',
      }),
    ),
    word_count: Type.Optional(
      Type.Integer({ description: 'Number of words that were analysed for sentiment.' }),
    ),
    delete_after_seconds: Type.Optional(Type.Integer()),
    transcriber: Type.Optional(Type.String()),
    skip_diarization: Type.Optional(Type.Boolean()),
    skip_punctuation: Type.Optional(Type.Boolean()),
    skip_postprocessing: Type.Optional(Type.Boolean()),
    filter_profanity: Type.Optional(Type.Boolean()),
    remove_disfluencies: Type.Optional(Type.Boolean()),
    speaker_channels_count: Type.Optional(Type.Integer()),
    speakers_count: Type.Optional(Type.Integer()),
    custom_vocabulary_id: Type.Optional(Type.String()),
    unusable_phrases: unusablePhrases,
    verbatim: Type.Optional(Type.Boolean()),
    rush: Type.Optional(Type.Boolean()),
    test_mode: Type.Optional(Type.Boolean()),
    segments_to_transcribe: Type.Optional(Type.Array(SegmentSchema)),
    speaker_names: Type.Optional(Type.Array(SpeakerNameSchema)),
    diarization_type: Type.Optional(Type.String()),
    remove_atmospherics: Type.Optional(Type.Boolean()),
    forced_alignment: Type.Optional(Type.Boolean()),
    strict_custom_vocabulary: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: true },
);

/** A job of the legacy area. */
export const LegacyJobSchema = Type.Object({
  ...COMMON,
  name: Type.Optional(Type.String({ description: 'Name of the media file, for jobs that have ended.' })),
  media_url: Type.Optional(Type.String({ description: 'Address of the media, for jobs that have ended.' })),
  duration_seconds: Type.Optional(Type.Integer({ description: 'Seconds of media, for jobs that are done.' })),
});

/** A custom vocabulary; `status` is `in_progress`, `complete` or `failed`. */
export const VocabularySchema = Type.Object({ ...COMMON, unusable_phrases: unusablePhrases });

export const AccountSchema = Type.Object({
  email: Type.String(),
  balance_seconds: Type.Integer({ description: 'Remaining credit, in seconds of media.' }),
});

export const StreamTokenRequestSchema = Type.Object(
  {
    expires_in_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: 60 })),
    max_sessions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: the limit of the account.' }),
    ),
    metadata: Type.Optional(
      Type.String({
        maxLength: MAX_METADATA_LENGTH,
        description: 'For streams without metadata of their own.',
      }),
    ),
  },
  { examples: [{ expires_in_seconds: 60, max_sessions: 1 }] },
);

/** A token that opens streams only. */
export const StreamTokenSchema = Type.Object({
  token: Type.String(),
  expires_on: Type.String({ format: 'date-time' }),
});

/** The body of a notification about a vocabulary. */
export const VocabularyNotificationSchema = Type.Object({ custom_vocabulary: VocabularySchema });

export type JobType = Static<typeof JobTypeSchema>;
export type JobFailure = Static<typeof JobFailureSchema>;
export type Job = Static<typeof JobSchema>;
export type LegacyJob = Static<typeof LegacyJobSchema>;
/** A custom vocabulary as returned by the service. */
export type VocabularyRecord = Static<typeof VocabularySchema>;
export type UnusablePhrase = Static<typeof UnusablePhraseSchema>;
export type Account = Static<typeof AccountSchema>;
export type StreamTokenRequest = Static<typeof StreamTokenRequestSchema>;
export type StreamToken = Static<typeof StreamTokenSchema>;
