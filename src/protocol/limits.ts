/** Limits that both ends of the wire know. */

/** Seconds: 30 days, the longest that anything is kept. */
export const MAX_DELETE_AFTER_SECONDS = 2_592_000;
export const MAX_METADATA_LENGTH = 512;

/** Seconds that one streaming session may last. */
export const MAX_SESSION_SECONDS = 3 * 3600;
export const SEGMENT_DURATION_SECONDS = { min: 5, max: 30 } as const;
export const CONNECTION_WAIT_SECONDS = { min: 60, max: 600, default: 60 } as const;

export const VOCABULARY_LIMITS = {
  vocabularies: 50,
  phrases: 6000,
  wordsInPhrase: 12,
  lettersInWord: 34,
} as const;
