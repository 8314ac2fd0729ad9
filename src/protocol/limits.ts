/** Limits of the interface, for both ends. No schemas: pages import them. */

/** Longest retention in seconds: 30 days. */
export const MAX_DELETE_AFTER_SECONDS = 2_592_000;
/** Unicode code points. */
export const MAX_METADATA_LENGTH = 512;
export const MAX_LEGACY_METADATA_LENGTH = 256;
export const MAX_URL_LENGTH = 2048;
/** Characters of `callback_url`. */
export const MAX_CALLBACK_URL_LENGTH = 1024;
/** Characters of the Authorization value for a download or a notification. */
export const MAX_AUTHORIZATION_LENGTH = 4096;

/** Jobs on one page of a list. */
export const LIST_LIMIT = { min: 0, max: 1000, default: 100 } as const;
/** Days that a list covers. */
export const LIST_WINDOW_DAYS = 30;
export const LEGACY_LIST_WINDOW_DAYS = 7;

/** Channels of one recording that are transcribed separately. */
export const SPEAKER_CHANNELS = { min: 1, max: 8 } as const;

/**
 * Limits of human transcription: least seconds of a segment, most terms, most seconds of media in test mode, and the estimate of
 * the hours until the transcript.
 */
export const HUMAN_LIMITS = {
  segmentSeconds: 60,
  terms: 20,
  testSeconds: 600,
  /** A rush job is due when the first of the others may be expected. */
  turnaroundHours: { least: 12, most: 24 },
} as const;

/** Longest streaming session in seconds. */
export const MAX_SESSION_SECONDS = 3 * 3600;
export const SEGMENT_DURATION_SECONDS = { min: 5, max: 30 } as const;
/** Time for the end of streams when a service stops; by default, longer than the longest segment and its recognition. */
export const DRAIN_SECONDS = { min: 0, max: 3600, default: SEGMENT_DURATION_SECONDS.max + 10 } as const;
export const CONNECTION_WAIT_SECONDS = { min: 60, max: 600, default: 60 } as const;

/** Maximum number of options without effect that a job reports, and of characters in each name. */
export const MAX_IGNORED_OPTIONS = 100;
export const MAX_IGNORED_OPTION_LENGTH = 100;

/** Maximum number of warnings that a job reports, and of characters in each. */
export const MAX_WARNINGS = 20;
export const MAX_WARNING_LENGTH = 300;

/** Maximum number of unusable phrases that a job reports. */
export const MAX_UNUSABLE_PHRASES = 200;

export const VOCABULARY_LIMITS = {
  vocabularies: 50,
  phrases: 6000,
  wordsInPhrase: 12,
  lettersInWord: 34,
} as const;

/** Limits of the calls of the desk page. */
export const DESK_LIMITS = {
  nameLength: 64,
  passwordLength: { min: 12, max: 256 },
  /** Seconds of a claim, which the page extends while it is open. */
  leaseSeconds: 120,
  /** Characters of one turn. */
  turnLength: 20_000,
  turns: 50_000,
  /** Speakers are numbered from 0. */
  maxSpeaker: 63,
  speakerNameLength: 200,
  phraseLength: 200,
} as const;

/** Header with the token of the session, required with every method but GET. */
export const DESK_TOKEN_HEADER = 'x-desk-token';

/** Bytes of the longest message that a client takes from a service; a final of 30 s of speech has some 20 kB. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
