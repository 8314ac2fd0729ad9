import { InvalidArgumentError } from '../base/errors.ts';

/** The default brand word in paths and media types; a service and its clients must use the same one. */
export const DEFAULT_BRAND = 'svc';

/** Interfaces of other services that a service may also offer. */
export const DOORS = ['openai', 'deepgram'] as const;
export type DoorName = (typeof DOORS)[number];

/** Names on the wire that contain the brand word. */
export interface BrandNames {
  readonly brand: string;
  /** Path prefix of the legacy interface. */
  readonly legacyPrefix: string;
  readonly transcriptMediaType: string;
  readonly languageIdMediaType: string;
  readonly sentimentMediaType: string;
  /** Header with the signature of a notification; see `verifyNotification`. */
  readonly signatureHeader: string;
  /** Header with the id of a notification, which is the same in every attempt to deliver it. */
  readonly deliveryHeader: string;
}

/**
 * Returns the names that contain a brand word.
 *
 * @throws InvalidArgumentError unless the word is 1 to 32 lower-case letters and digits, a letter first
 * @example
 * brandNames('svc').transcriptMediaType // 'application/vnd.svc.transcript.v1.0+json'
 */
export function brandNames(brand: string = DEFAULT_BRAND): BrandNames {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(brand)) {
    throw new InvalidArgumentError(
      "Option 'brand' must be 1 to 32 lower-case letters and digits, starting with a letter.",
    );
  }
  const capitalized = brand[0]!.toUpperCase() + brand.slice(1);
  return {
    brand,
    legacyPrefix: `/${brand}speech/v1beta`,
    transcriptMediaType: `application/vnd.${brand}.transcript.v1.0+json`,
    languageIdMediaType: `application/vnd.${brand}.languageid.v1.0+json`,
    sentimentMediaType: `application/vnd.${brand}.sentiment.v1.0+json`,
    signatureHeader: `X-${capitalized}-Signature`,
    deliveryHeader: `X-${capitalized}-Delivery`,
  };
}

export const TEXT_MEDIA_TYPE = 'text/plain';
export const SRT_MEDIA_TYPE = 'application/x-subrip';
export const VTT_MEDIA_TYPE = 'text/vtt';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Path prefixes of the areas. The prefix of the legacy area depends on the brand word, see {@link brandNames}. */
export const SPEECH_TO_TEXT_PREFIX = '/speechtotext/v1';
export const LANGUAGE_ID_PREFIX = '/languageid/v1';
export const ALIGNMENT_PREFIX = '/alignment/v1';
export const SENTIMENT_PREFIX = '/sentiment_analysis/v1';
export const STREAM_PATH = `${SPEECH_TO_TEXT_PREFIX}/stream`;
export const STREAM_TOKENS_PATH = `${SPEECH_TO_TEXT_PREFIX}/stream_tokens`;
export const VOCABULARIES_PATH = `${SPEECH_TO_TEXT_PREFIX}/vocabularies`;
/** Alias of {@link VOCABULARIES_PATH} without a prefix. */
export const PLAIN_VOCABULARIES_PATH = '/vocabularies';
/** Path prefix for operators, who administer accounts and human jobs. */
export const ADMIN_PREFIX = '/admin/v1';

/** Query parameter with the token of a streaming connection, in place of the Authorization header. */
export const ACCESS_TOKEN_PARAMETER = 'access_token';
