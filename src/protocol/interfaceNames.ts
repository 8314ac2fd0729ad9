import { InvalidArgumentError } from '../base/errors.ts';

/** The maker's word in paths and media types; a service and its clients must use the same. */
export const NEUTRAL_BRAND = 'svc';

/** Everything on the wire that the brand word names. */
export interface BrandNames {
  readonly brand: string;
  /** Path prefix of the legacy interface. */
  readonly legacyPrefix: string;
  readonly transcriptMediaType: string;
  readonly languageIdMediaType: string;
  readonly sentimentMediaType: string;
  /** Header of a notification that says who sent it; see `verifyNotification`. */
  readonly signatureHeader: string;
  /** Header of a notification whose value is the same in every try to deliver it. */
  readonly deliveryHeader: string;
}

/**
 * The names that a brand word gives.
 *
 * @throws InvalidArgumentError unless the word is 1 to 32 lower-case letters and digits, a letter first
 * @example
 * brandNames('svc').transcriptMediaType // 'application/vnd.svc.transcript.v1.0+json'
 */
export function brandNames(brand: string = NEUTRAL_BRAND): BrandNames {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(brand)) {
    throw new InvalidArgumentError('brand: expected 1 to 32 lower-case letters and digits, a letter first');
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
