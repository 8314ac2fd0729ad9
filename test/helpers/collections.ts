/** Paths of the collections of a service with the default brand word. */
export const SPEECH_JOBS = '/speechtotext/v1/jobs';
export const LEGACY_JOBS = '/svcspeech/v1beta/jobs';
export const LANGUAGE_JOBS = '/languageid/v1/jobs';
export const ALIGNMENT_JOBS = '/alignment/v1/jobs';
export const SENTIMENT_JOBS = '/sentiment_analysis/v1/jobs';
export const VOCABULARIES = '/speechtotext/v1/vocabularies';
export const PLAIN_VOCABULARIES = '/vocabularies';
