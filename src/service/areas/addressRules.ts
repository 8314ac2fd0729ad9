import { validateHeaderValue } from 'node:http';
import { outboundUrl } from '../outbound/outboundError.ts';
import type { Address } from '../tasks/inputs.ts';
import type { Fault } from './faults.ts';
import type { Rule } from './submission.ts';

/** An address in a submission. */
export interface AddressJson {
  readonly url: string;
  readonly auth_headers?: { readonly Authorization: string };
}

/** @param alias the address under its older name */
export function addressOf(config: AddressJson | undefined, alias?: string): Address | undefined {
  if (config === undefined) return alias === undefined ? undefined : { url: alias };
  const { url, auth_headers: headers } = config;
  return { url, ...(headers && { authorization: headers.Authorization }) };
}

/**
 * Returns the fields of a submission with these names, with the headers of addresses spelled as in the schema: clients
 * write `authorization` in any case, and headers without a value count as absent.
 */
export function withNamedHeaders(
  submission: Readonly<Record<string, unknown>>,
  names: readonly string[],
): object {
  const given = names.filter(name => Object.hasOwn(submission, name));
  return Object.fromEntries(
    given.map(name => {
      const value = submission[name];
      const isAddress = typeof value === 'object' && value !== null && 'auth_headers' in value;
      return [name, isAddress ? { ...value, auth_headers: namedHeaders(value.auth_headers) } : value];
    }),
  );
}

function namedHeaders(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  const given = Object.entries(headers).filter(([, value]) => value !== null && value !== '');
  if (given.length === 0) return null;
  return Object.fromEntries(
    given.map(([name, value]) => [/^authorization$/i.test(name) ? 'Authorization' : name, value]),
  );
}

/** Yields the faults of an address and of its header. */
export function* checkConfig(name: string, config: AddressJson | undefined): Generator<Fault> {
  yield* checkAddress(`${name}.url`, config?.url);
  const authorization = config?.auth_headers?.Authorization;
  if (authorization === undefined) return;
  try {
    validateHeaderValue('authorization', authorization);
  } catch {
    yield [`${name}.auth_headers.Authorization`, 'must have no line breaks and only Latin-1 characters'];
  }
}

/** Yields a fault when the service can neither fetch from the address nor post to it. */
function* checkAddress(name: string, url: string | undefined): Generator<Fault> {
  if (url === undefined) return;
  try {
    outboundUrl(url);
  } catch {
    yield [name, 'must be an http or https URL without user name and password'];
  }
}

function* checkPair(
  [name, alias]: readonly [string, string],
  config: AddressJson | undefined,
  url: string | undefined,
): Generator<Fault> {
  yield* checkConfig(name, config);
  yield* checkAddress(alias, url);
  if (config !== undefined && url !== undefined) yield [alias, `must not be given together with ${name}`];
}

interface Notified {
  readonly notification_config?: AddressJson;
  readonly callback_url?: string;
}

/** Requires a valid address for notifications, under one of its two names. */
export const notificationRule: Rule<Notified> = {
  fields: ['notification_config', 'callback_url'],
  check: ({ notification_config: config, callback_url: url }) =>
    checkPair(['notification_config', 'callback_url'], config, url),
};

interface Sourced {
  readonly source_config?: AddressJson;
  readonly media_url?: string;
}

/** Requires media: an address under one of its two names, or an upload. */
export const mediaRule: Rule<Sourced> = {
  fields: ['source_config', 'media_url'],
  *check({ source_config: config, media_url: url }, { isUpload }) {
    yield* checkPair(['source_config', 'media_url'], config, url);
    yield* checkPresence('source_config', { config, url }, isUpload);
  },
};

/** Requires media: an address under its older name, or an upload. */
export const legacyMediaRule: Rule<Pick<Sourced, 'media_url'>> = {
  fields: ['media_url'],
  *check({ media_url: url }, { isUpload }) {
    yield* checkAddress('media_url', url);
    yield* checkPresence('media_url', { url }, isUpload);
  },
};

function* checkPresence(
  name: string,
  given: { readonly config?: AddressJson; readonly url?: string },
  isUpload: boolean,
): Generator<Fault> {
  const isGiven = given.config !== undefined || given.url !== undefined;
  if (!isGiven && !isUpload) yield [name, 'is required, unless the media is uploaded'];
  if (isGiven && isUpload)
    yield [given.config ? 'source_config' : 'media_url', 'must not be given with an upload'];
}
