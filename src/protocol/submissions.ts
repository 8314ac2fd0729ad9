import { type Static, type TObject, Type } from 'typebox';
import {
  MAX_ALIAS_URL_LENGTH,
  MAX_AUTHORIZATION_LENGTH,
  MAX_DELETE_AFTER_SECONDS,
  MAX_LEGACY_METADATA_LENGTH,
  MAX_METADATA_LENGTH,
  MAX_URL_LENGTH,
  SPEAKER_CHANNELS,
  VOCABULARY_LIMITS,
} from './limits.ts';
import { TranscriptSchema } from './transcriptJson.ts';

/** The bodies by which jobs are submitted, one schema an area. Rules between fields are the service's to check. */

const AuthHeadersSchema = Type.Object({
  Authorization: Type.String({ minLength: 1, maxLength: MAX_AUTHORIZATION_LENGTH }),
});

/** An address that the service fetches from or posts to. The Authorization value is used for that and never shown. */
export const AddressSchema = Type.Object({
  url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH }),
  auth_headers: Type.Optional(AuthHeadersSchema),
});

/** What every submission may carry. */
const COMMON = {
  metadata: Type.Optional(Type.String({ maxLength: MAX_METADATA_LENGTH })),
  notification_config: Type.Optional(AddressSchema),
  /** Older name of `notification_config.url`; not both. */
  callback_url: Type.Optional(Type.String({ maxLength: MAX_ALIAS_URL_LENGTH })),
  delete_after_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELETE_AFTER_SECONDS })),
};

/** Where the media is, unless it is uploaded. */
const MEDIA = {
  source_config: Type.Optional(AddressSchema),
  /** Older name of `source_config.url`; not both. */
  media_url: Type.Optional(Type.String({ maxLength: MAX_URL_LENGTH })),
};

/** Phrases to favour; a plain string stands for a list of one phrase. */
export const VocabularyListSchema = Type.Array(
  Type.Union([
    Type.Object({
      phrases: Type.Array(Type.String(), { minItems: 1, maxItems: VOCABULARY_LIMITS.phrases }),
    }),
    Type.String(),
  ]),
  { minItems: 1, maxItems: VOCABULARY_LIMITS.vocabularies },
);

/** Seconds, as decimal text or as a number. */
const SegmentTimeSchema = Type.Union([
  Type.String({ pattern: '^\\d+(\\.\\d+)?$' }),
  Type.Number({ minimum: 0 }),
]);

export const SegmentSchema = Type.Object({ start: SegmentTimeSchema, end: SegmentTimeSchema });
export const SpeakerNameSchema = Type.Object({ display_name: Type.String({ minLength: 1, maxLength: 256 }) });

const LanguageSchema = Type.String({ minLength: 1, maxLength: 32 });

/** How speech is transcribed by machine. */
const TRANSCRIPTION = {
  /** Language code. Default `en`. */
  language: Type.Optional(LanguageSchema),
  skip_diarization: Type.Optional(Type.Boolean()),
  skip_punctuation: Type.Optional(Type.Boolean()),
  /** No punctuation, casing or number formatting. */
  skip_postprocessing: Type.Optional(Type.Boolean()),
  filter_profanity: Type.Optional(Type.Boolean()),
  remove_disfluencies: Type.Optional(Type.Boolean()),
  /** Each channel is transcribed alone; the speaker is the number of the channel. */
  speaker_channels_count: Type.Optional(
    Type.Integer({ minimum: SPEAKER_CHANNELS.min, maximum: SPEAKER_CHANNELS.max }),
  ),
  /** How many speakers there are, as a hint. */
  speakers_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  /** Id of a vocabulary that is complete; not together with `custom_vocabularies`. */
  custom_vocabulary_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  custom_vocabularies: Type.Optional(VocabularyListSchema),
};

export const SpeechToTextSubmissionSchema = Type.Object({
  ...MEDIA,
  ...COMMON,
  ...TRANSCRIPTION,
  /** Default `machine`. */
  transcriber: Type.Optional(Type.Union([Type.Literal('machine'), Type.Literal('human')])),
  /** Human jobs: every word as it was said. */
  verbatim: Type.Optional(Type.Boolean()),
  /** Human jobs: before the others. */
  rush: Type.Optional(Type.Boolean()),
  /** Human jobs: the parts to transcribe, each a minute at least, none over another. Default: everything. */
  segments_to_transcribe: Type.Optional(Type.Array(SegmentSchema, { minItems: 1, maxItems: 1000 })),
  /** Human jobs: who speaks. */
  speaker_names: Type.Optional(Type.Array(SpeakerNameSchema, { minItems: 1, maxItems: 100 })),
});

export const LegacySubmissionSchema = Type.Object({
  ...COMMON,
  ...TRANSCRIPTION,
  media_url: Type.Optional(Type.String({ maxLength: MAX_ALIAS_URL_LENGTH })),
  metadata: Type.Optional(Type.String({ maxLength: MAX_LEGACY_METADATA_LENGTH })),
});

export const LanguageIdSubmissionSchema = Type.Object({ ...MEDIA, ...COMMON });

export const AlignmentSubmissionSchema = Type.Object({
  ...MEDIA,
  ...COMMON,
  language: Type.Optional(LanguageSchema),
  /** The address of the words that are spoken; not together with `transcript_text`. */
  source_transcript_config: Type.Optional(AddressSchema),
  /** The words that are spoken, separated by spaces. */
  transcript_text: Type.Optional(Type.String({ minLength: 1 })),
});

export const SentimentSubmissionSchema = Type.Object({
  ...COMMON,
  language: Type.Optional(LanguageSchema),
  /** Plain text; not together with `json`. */
  text: Type.Optional(Type.String({ minLength: 1 })),
  /** A transcript in the service's own form. */
  json: Type.Optional(TranscriptSchema),
});

export const VocabularySubmissionSchema = Type.Object({
  metadata: COMMON.metadata,
  notification_config: COMMON.notification_config,
  callback_url: COMMON.callback_url,
  custom_vocabularies: VocabularyListSchema,
});

/** Any of the schemas above. */
export type SubmissionSchema = TObject;

export type SpeechToTextSubmission = Static<typeof SpeechToTextSubmissionSchema>;
export type LegacySubmission = Static<typeof LegacySubmissionSchema>;
export type LanguageIdSubmission = Static<typeof LanguageIdSubmissionSchema>;
export type AlignmentSubmission = Static<typeof AlignmentSubmissionSchema>;
export type SentimentSubmission = Static<typeof SentimentSubmissionSchema>;
export type VocabularySubmission = Static<typeof VocabularySubmissionSchema>;
