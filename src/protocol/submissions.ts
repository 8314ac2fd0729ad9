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
 * Request bodies of submissions, one schema per area. The descriptions appear in the reference. The service checks the rules
 * between fields.
 */

const AuthHeadersSchema = Type.Object({
  Authorization: Type.String({ minLength: 1, maxLength: MAX_AUTHORIZATION_LENGTH }),
});

/** An address from which the service fetches, or to which it posts. */
const address = (description: string) =>
  Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH, description: 'An http or https address.' }),
      auth_headers: Type.Optional(
        Type.Object(AuthHeadersSchema.properties, {
          description: 'Sent verbatim with the request to this address, and never returned.',
        }),
      ),
    },
    { description },
  );

/** Fields of every submission. */
const COMMON = {
  metadata: Type.Optional(
    Type.String({ maxLength: MAX_METADATA_LENGTH, description: 'Free text that is echoed in the job.' }),
  ),
  notification_config: Type.Optional(address('Address that receives a POST request when the job has ended.')),
  callback_url: Type.Optional(
    Type.String({
      maxLength: MAX_CALLBACK_URL_LENGTH,
      description: 'Older name of `notification_config.url`. Only one of them may be given.',
    }),
  ),
  delete_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DELETE_AFTER_SECONDS,
      description:
        'Seconds after the end of the job until it is deleted with all its data; with 0, no data is kept. Default: the setting of the account, at most 30 days.',
    }),
  ),
};

/** The address of the media, unless it is uploaded. */
const MEDIA = {
  source_config: Type.Optional(address('Address of the media. Required unless the media is uploaded.')),
  media_url: Type.Optional(
    Type.String({
      maxLength: MAX_URL_LENGTH,
      description: 'Older name of `source_config.url`. Only one of them may be given.',
    }),
  ),
};

const { vocabularies, phrases, wordsInPhrase, lettersInWord } = VOCABULARY_LIMITS;

/** Phrases that the recogniser should prefer; a plain string is a list of one phrase. */
export const VocabularyListSchema = Type.Array(
  Type.Union([
    Type.Object({ phrases: Type.Array(Type.String(), { minItems: 1, maxItems: phrases }) }),
    Type.String(),
  ]),
  {
    minItems: 1,
    maxItems: vocabularies,
    description: `Phrases that the recogniser should prefer, each of at most ${wordsInPhrase} words of ${lettersInWord} characters, with at least one letter. A plain string is a list of one phrase.`,
  },
);

const SegmentTimeSchema = Type.Union([
  Type.String({ pattern: '^\\d+(\\.\\d+)?$', examples: ['90.5'] }),
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
  description: 'Language code. A region is ignored: `en-US` means `en`. Default `en`.',
});

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Options of machine transcription. */
const TRANSCRIPTION = {
  language: Type.Optional(LanguageSchema),
  skip_diarization: flag('Does not split the transcript by speaker.'),
  skip_punctuation: flag('Leaves out all `punct` elements.'),
  skip_postprocessing: flag('Turns off punctuation, casing and number formatting.'),
  filter_profanity: flag('Replaces every letter of profane words by `*`, except the first and the last.'),
  remove_disfluencies: flag('Leaves out disfluencies such as um and uh.'),
  speaker_channels_count: Type.Optional(
    Type.Integer({
      minimum: SPEAKER_CHANNELS.min,
      maximum: SPEAKER_CHANNELS.max,
      description: 'Number of channels. Each channel is transcribed separately and is a speaker.',
    }),
  ),
  speakers_count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Number of speakers, as a hint.' }),
  ),
  custom_vocabulary_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Id of a custom vocabulary that is complete. Cannot be combined with `custom_vocabularies`.',
    }),
  ),
  custom_vocabularies: Type.Optional(VocabularyListSchema),
};

const { segmentSeconds, terms, testSeconds } = HUMAN_LIMITS;

/** Options of human transcription. */
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
        description: `\`human\`, or \`machine\` (default); the names of other machine models mean \`machine\`. Human jobs take at most ${terms} phrases.`,
      },
    ),
  ),
  verbatim: flag('Transcribes every word as it was said. Human jobs only, ignored otherwise.'),
  rush: flag('Puts the job before others. Human jobs only, ignored otherwise.'),
  test_mode: flag(
    `Ends the job at once with the transcript of the machine, without a person and at no cost; for at most ${testSeconds / 60} minutes of media. Human jobs only, ignored otherwise.`,
  ),
  segments_to_transcribe: Type.Optional(
    Type.Array(SegmentSchema, {
      minItems: 1,
      maxItems: 1000,
      description: `Parts to transcribe, each at least ${segmentSeconds} seconds long, without overlap, and within the media. Human jobs only. Default: everything.`,
    }),
  ),
  speaker_names: Type.Optional(
    Type.Array(SpeakerNameSchema, {
      minItems: 1,
      maxItems: 100,
      description: 'Names of the speakers. Human jobs only.',
    }),
  ),
};

const ECHOED = 'Has no effect here: it is echoed, and named in `ignored_options`.';

/** Options that other services of this interface have. */
const FOREIGN_OPTIONS = {
  diarization_type: Type.Optional(Type.String({ maxLength: 64, description: ECHOED })),
  remove_atmospherics: flag(ECHOED),
  forced_alignment: flag(ECHOED),
  strict_custom_vocabulary: flag(ECHOED),
};

/** Names of the options that have no effect on any job, and on the jobs of machines. */
export const INEFFECTIVE_OPTIONS = {
  always: Object.keys(FOREIGN_OPTIONS),
  machine: Object.keys(HUMAN).filter(name => name !== 'transcriber'),
} as const;

export const SpeechToTextSubmissionSchema = Type.Object({
  ...MEDIA,
  ...COMMON,
  ...TRANSCRIPTION,
  ...HUMAN,
  ...FOREIGN_OPTIONS,
});

export const LegacySubmissionSchema = Type.Object({
  media_url: Type.Optional(
    Type.String({
      maxLength: MAX_URL_LENGTH,
      description: 'Address of the media. Required unless the media is uploaded.',
    }),
  ),
  ...COMMON,
  metadata: Type.Optional(
    Type.String({
      maxLength: MAX_LEGACY_METADATA_LENGTH,
      description: 'Free text that is echoed in the job.',
    }),
  ),
  ...TRANSCRIPTION,
});

export const LanguageIdSubmissionSchema = Type.Object({ ...MEDIA, ...COMMON });

export const AlignmentSubmissionSchema = Type.Object({
  ...MEDIA,
  source_transcript_config: Type.Optional(
    address('Address of a text file with the spoken words. Cannot be combined with `transcript_text`.'),
  ),
  transcript_text: Type.Optional(
    Type.String({ minLength: 1, description: 'The spoken words, separated by spaces.' }),
  ),
  ...COMMON,
  language: Type.Optional(LanguageSchema),
});

export const SentimentSubmissionSchema = Type.Object({
  text: Type.Optional(
    Type.String({ minLength: 1, description: 'Plain text. Cannot be combined with `json`.' }),
  ),
  json: Type.Optional(
    Type.Object(TranscriptSchema.properties, {
      description: 'A transcript in the format of the service. Cannot be combined with `text`.',
    }),
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
