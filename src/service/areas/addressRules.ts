import { validateHeaderValue } from 'node:http';
import { outboundUrl } from '../outbound/outboundError.ts';
import { mayBePublic } from '../outbound/publicAddress.ts';
import type { Address } from '../tasks/inputs.ts';
import type { Fault } from './faults.ts';
import type { Rule, SubmissionContext } from './submission.ts';

/** An address in a submission. */
export interface AddressJson {
  readonly url: string;
  readonly auth_headers?: { readonly Authorization: string };
}

/** @param alias the address under its older name */
export function addressOf(config: AddressJson | undefined, alias?: string): Address | undefined {
  if (config === undefined) return alias === undefined ? undefined : { url: alias };
  const { url, auth_headers: headers } = config;
  return { url, authorization: headers?.Authorization };
}

/**
 * Returns the fields of a submission with these names, with the headers of addresses spelled as in the schema: clients
 * write `authorization` in any case, and headers without a value count as absent.
 */
export function withNamedHeaders(
  submission: Readonly<Record<string, unknown>>,
  names: readonly string[],
): object {
  const given = Object.keys(submission).filter(name => names.includes(name));
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

const PRIVATE_ADDRESS =
  'must be public: this service does not connect to private or local addresses (its operator can allow them with --allow-private-addresses)';

/** Yields the faults of an address and of its header. */
export function* checkConfig(
  name: string,
  config: AddressJson | undefined,
  context: SubmissionContext,
): Generator<Fault> {
  yield* checkAddress(`${name}.url`, config?.url, context);
  const authorization = config?.auth_headers?.Authorization;
  if (authorization === undefined) return;
  try {
    validateHeaderValue('authorization', authorization);
  } catch {
    yield [`${name}.auth_headers.Authorization`, 'must have no line breaks and only Latin-1 characters'];
  }
}

/** Yields a fault when the service can neither fetch from the address nor post to it. */
function* checkAddress(
  name: string,
  text: string | undefined,
  { allowPrivateAddresses }: SubmissionContext,
): Generator<Fault> {
  if (text === undefined) return;
  try {
    const url = outboundUrl(text);
    if (!allowPrivateAddresses && !mayBePublic(url)) yield [name, PRIVATE_ADDRESS];
  } catch {
    yield [name, 'must be an http or https URL without user name and password'];
  }
}

function* checkPair(
  [name, alias]: readonly [string, string],
  { config, url }: { readonly config?: AddressJson; readonly url?: string },
  context: SubmissionContext,
): Generator<Fault> {
  yield* checkConfig(name, config, context);
  yield* checkAddress(alias, url, context);
  if (config !== undefined && url !== undefined) yield [alias, `must not be given together with ${name}`];
}

interface Notified {
  readonly notification_config?: AddressJson;
  readonly callback_url?: string;
}

/** Requires a valid address for notifications, under one of its two names. */
export const notificationRule: Rule<Notified> = {
  fields: ['notification_config', 'callback_url'],
  check: ({ notification_config: config, callback_url: url }, context) =>
    checkPair(['notification_config', 'callback_url'], { config, url }, context),
};

interface Sourced {
  readonly source_config?: AddressJson;
  readonly media_url?: string;
}

/**
 * Requires media: an address under one of its two names, or an upload.
 *
 * @param name the name under which missing media is reported
 */
export function mediaRule(name: keyof Sourced): Rule<Sourced> {
  return {
    fields: ['source_config', 'media_url'],
    *check({ source_config: config, media_url: url }, context) {
      yield* checkPair(['source_config', 'media_url'], { config, url }, context);
      const isGiven = config !== undefined || url !== undefined;
      if (!isGiven && !context.isUpload) yield [name, 'is required, unless the media is uploaded'];
      if (isGiven && context.isUpload) {
        yield [config ? 'source_config' : 'media_url', 'must not be given with an upload'];
      }
    },
  };
}
