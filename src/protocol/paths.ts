/** Path prefixes of the interface; the legacy one depends on the brand word, see `brandNames`. */
export const SPEECH_TO_TEXT_PREFIX = '/speechtotext/v1';
export const STREAM_PATH = `${SPEECH_TO_TEXT_PREFIX}/stream`;

/** Query parameter that carries the token of a streaming connection, in place of the authorization header. */
export const ACCESS_TOKEN_PARAMETER = 'access_token';
