/** Paths of the interface; the prefix of the legacy one depends on the brand word, see `brandNames`. */
export const SPEECH_TO_TEXT_PREFIX = '/speechtotext/v1';
export const LANGUAGE_ID_PREFIX = '/languageid/v1';
export const ALIGNMENT_PREFIX = '/alignment/v1';
export const SENTIMENT_PREFIX = '/sentiment_analysis/v1';
export const STREAM_PATH = `${SPEECH_TO_TEXT_PREFIX}/stream`;
export const VOCABULARIES_PATH = `${SPEECH_TO_TEXT_PREFIX}/vocabularies`;
/** The same, as the interface names it without a prefix. */
export const PLAIN_VOCABULARIES_PATH = '/vocabularies';
/** Where operators administer accounts and human jobs; not for clients. */
export const ADMIN_PREFIX = '/admin/v1';

/** Query parameter that carries the token of a streaming connection, in place of the authorization header. */
export const ACCESS_TOKEN_PARAMETER = 'access_token';
