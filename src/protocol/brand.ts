import { InvalidArgumentError } from '../base/errors.ts';

/** The maker's word in paths and media types; a service and its clients must use the same. */
export const DEFAULT_BRAND = 'svc';

/** Everything on the wire that the brand word names. */
export interface BrandNames {
  readonly brand: string;
  /** Path prefix of the legacy interface. */
  readonly legacyPrefix: string;
  readonly transcriptMediaType: string;
}

/**
 * The names that a brand word gives.
 *
 * @throws InvalidArgumentError unless the word is 1 to 32 lower-case letters and digits, a letter first
 * @example
 * brandNames('svc').transcriptMediaType // 'application/vnd.svc.transcript.v1.0+json'
 */
export function brandNames(brand: string = DEFAULT_BRAND): BrandNames {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(brand)) {
    throw new InvalidArgumentError('brand: expected 1 to 32 lower-case letters and digits, a letter first');
  }
  return {
    brand,
    legacyPrefix: `/${brand}speech/v1beta`,
    transcriptMediaType: `application/vnd.${brand}.transcript.v1.0+json`,
  };
}

export const TEXT_MEDIA_TYPE = 'text/plain';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
