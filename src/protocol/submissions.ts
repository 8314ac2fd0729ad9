import { type Static, Type } from 'typebox';
import {
  HUMAN_LIMITS,
  MAX_AUTHORIZATION_LENGTH,
  MAX_CALLBACK_URL_LENGTH,
  MAX_DELETE_AFTER_SECONDS,
  MAX_LEGACY_METADATA_LENGTH,
  MAX_METADATA_LENGTH,
  MAX_URL_LENGTH,
  SPEAKER_CHANNELS,
  VOCABULARY_LIMITS,
} from './limits.ts';
import { TranscriptSchema } from './transcriptJson.ts';

/**
 * The bodies by which jobs are submitted, one schema an area; the descriptions are for the reference. Rules between
 * fields are the service's to check.
 */

const AuthHeadersSchema = Type.Object({
  Authorization: Type.String({ minLength: 1, maxLength: MAX_AUTHORIZATION_LENGTH }),
});

/** An address that the service fetches from or posts to. */
const address = (description: string) =>
  Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH, description: 'An http or https address.' }),
      auth_headers: Type.Optional(
        Type.Object(AuthHeadersSchema.properties, {
          description: 'Sent verbatim with the request to this address, and never shown again.',
        }),
      ),
    },
    { description },
  );

/** What every submission may carry. */
const COMMON = {
  metadata: Type.Optional(
    Type.String({ maxLength: MAX_METADATA_LENGTH, description: 'Free text that comes back in the job.' }),
  ),
  notification_config: Type.Optional(address('Who is told, by POST, when the job has ended.')),
  callback_url: Type.Optional(
    Type.String({
      maxLength: MAX_CALLBACK_URL_LENGTH,
      description: 'Older name of `notification_config.url`; not both.',
    }),
  ),
  delete_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DELETE_AFTER_SECONDS,
      description:
        'Seconds after its end when the job is deleted with all its data. 0: nothing is kept of it. Default: as the account says, 30 days at most.',
    }),
  ),
};

/** Where the media is, unless it is uploaded. */
const MEDIA = {
  source_config: Type.Optional(address('Where the media is. Needed, unless the media is uploaded.')),
  media_url: Type.Optional(
    Type.String({ maxLength: MAX_URL_LENGTH, description: 'Older name of `source_config.url`; not both.' }),
  ),
};

const { vocabularies, phrases, wordsInPhrase, lettersInWord } = VOCABULARY_LIMITS;

/** Phrases to favour; a plain string stands for a list of one phrase. */
export const VocabularyListSchema = Type.Array(
  Type.Union([
    Type.Object({ phrases: Type.Array(Type.String(), { minItems: 1, maxItems: phrases }) }),
    Type.String(),
  ]),
  {
    minItems: 1,
    maxItems: vocabularies,
    description: `Phrases to favour, each of at most ${wordsInPhrase} words of ${lettersInWord} characters and with a letter at least. A plain string stands for a list of one phrase.`,
  },
);

const SegmentTimeSchema = Type.Union([
  Type.String({ pattern: '^\\d+(\\.\\d+)?$' }),
  Type.Number({ minimum: 0 }),
]);

export const SegmentSchema = Type.Object(
  { start: SegmentTimeSchema, end: SegmentTimeSchema },
  { description: 'Seconds, as decimal text or as numbers.' },
);
export const SpeakerNameSchema = Type.Object({ display_name: Type.String({ minLength: 1, maxLength: 256 }) });

const LanguageSchema = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Language code; a region is ignored: `en-US` is `en`. Default `en`.',
});

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** How speech is transcribed by machine. */
const TRANSCRIPTION = {
  language: Type.Optional(LanguageSchema),
  skip_diarization: flag('The transcript is not split by speaker.'),
  skip_punctuation: flag('The transcript has no `punct` elements.'),
  skip_postprocessing: flag('No punctuation, casing or number formatting.'),
  filter_profanity: flag('Of profane words, every letter but the first and last becomes `*`.'),
  remove_disfluencies: flag('Leaves out um, uh and the like.'),
  speaker_channels_count: Type.Optional(
    Type.Integer({
      minimum: SPEAKER_CHANNELS.min,
      maximum: SPEAKER_CHANNELS.max,
      description: 'Each channel is transcribed alone, and is a speaker.',
    }),
  ),
  speakers_count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'How many people speak, as a hint.' }),
  ),
  custom_vocabulary_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of a custom vocabulary that is complete; not together with `custom_vocabularies`.',
    }),
  ),
  custom_vocabularies: Type.Optional(VocabularyListSchema),
};

const { segmentSeconds, terms } = HUMAN_LIMITS;

/** What a person is asked for. */
const HUMAN = {
  transcriber: Type.Optional(
    Type.Union(
      [
        Type.Literal('machine'),
        Type.Literal('human'),
        Type.Literal('machine_v2'),
        Type.Literal('machine_v3'),
        Type.Literal('low_cost'),
        Type.Literal('fusion'),
      ],
      {
        description: `Who transcribes. Default \`machine\`, which the names of other machine models mean as well. A person takes at most ${terms} phrases.`,
      },
    ),
  ),
  verbatim: flag('Human jobs: every word as it was said. Ignored otherwise.'),
  rush: flag('Human jobs: before the others. Ignored otherwise.'),
  segments_to_transcribe: Type.Optional(
    Type.Array(SegmentSchema, {
      minItems: 1,
      maxItems: 1000,
      description: `Human jobs: the parts to transcribe, each of at least ${segmentSeconds} seconds, none over another. Default: everything.`,
    }),
  ),
  speaker_names: Type.Optional(
    Type.Array(SpeakerNameSchema, {
      minItems: 1,
      maxItems: 100,
      description: 'Human jobs: who speaks.',
    }),
  ),
};

export const SpeechToTextSubmissionSchema = Type.Object({ ...MEDIA, ...COMMON, ...TRANSCRIPTION, ...HUMAN });

export const LegacySubmissionSchema = Type.Object({
  media_url: Type.Optional(
    Type.String({
      maxLength: MAX_URL_LENGTH,
      description: 'Where the media is. Needed, unless the media is uploaded.',
    }),
  ),
  ...COMMON,
  metadata: Type.Optional(
    Type.String({
      maxLength: MAX_LEGACY_METADATA_LENGTH,
      description: 'Free text that comes back in the job.',
    }),
  ),
  ...TRANSCRIPTION,
});

export const LanguageIdSubmissionSchema = Type.Object({ ...MEDIA, ...COMMON });

export const AlignmentSubmissionSchema = Type.Object({
  ...MEDIA,
  source_transcript_config: Type.Optional(
    address('Where the words are that are spoken, as a text; not together with `transcript_text`.'),
  ),
  transcript_text: Type.Optional(
    Type.String({ minLength: 1, description: 'The words that are spoken, separated by spaces.' }),
  ),
  ...COMMON,
  language: Type.Optional(LanguageSchema),
});

export const SentimentSubmissionSchema = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1, description: 'Plain text; not together with `json`.' })),
  json: Type.Optional(
    Type.Object(TranscriptSchema.properties, { description: "A transcript in the service's own form." }),
  ),
  ...COMMON,
  language: Type.Optional(LanguageSchema),
});

export const VocabularySubmissionSchema = Type.Object({
  custom_vocabularies: VocabularyListSchema,
  metadata: COMMON.metadata,
  notification_config: COMMON.notification_config,
  callback_url: COMMON.callback_url,
});

export type SpeechToTextSubmission = Static<typeof SpeechToTextSubmissionSchema>;
export type LegacySubmission = Static<typeof LegacySubmissionSchema>;
export type LanguageIdSubmission = Static<typeof LanguageIdSubmissionSchema>;
export type AlignmentSubmission = Static<typeof AlignmentSubmissionSchema>;
export type SentimentSubmission = Static<typeof SentimentSubmissionSchema>;
export type VocabularySubmission = Static<typeof VocabularySubmissionSchema>;
