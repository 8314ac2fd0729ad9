import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError, RxscribeError } from '../base/errors.ts';

/** Default of the most seconds between the time of a signature and that of the receiver. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A notification is not signed with the secret, was changed, or is not recent. */
export class SignatureError extends RxscribeError {
  override name = 'SignatureError';
  constructor(message: string) {
    super('unauthorized', message);
  }
}

/** The input of a signature. */
export interface SignatureInput {
  readonly secret: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly timestamp: number;
  /** The exact body that is sent; strings are encoded in UTF-8. */
  readonly body: string | Uint8Array;
}

/**
 * Returns the value of the signature header of a notification, `t=<timestamp>,v1=<signature>`. The signature is the HMAC-SHA256
 * in hexadecimal of the timestamp, a dot, and the exact bytes of the body.
 */
export function signNotification({ secret, timestamp, body }: SignatureInput): string {
  return `t=${timestamp},v1=${digest(secret, String(timestamp), body).toString('hex')}`;
}

export interface SignatureCheck {
  readonly body: string | Uint8Array;
  /** Value of the signature header. */
  readonly signature: string | readonly string[] | undefined;
  /** Accepted secrets; several while a secret is being replaced. */
  readonly secret: string | readonly string[];
  readonly toleranceSeconds: number;
  /** Seconds since 1970-01-01 UTC. */
  readonly now: number;
}

/**
 * Checks a signature, and then its time.
 *
 * @throws SignatureError
 * @throws InvalidArgumentError when the secret is empty
 */
export function checkSignature({ body, signature, secret, toleranceSeconds, now }: SignatureCheck): void {
  const secrets = secretsOf(secret);
  const { timestamp, digests } = parseHeader(signature);
  const isRight = secrets.some(secret => {
    const wanted = digest(secret, timestamp, body);
    return digests.some(found => timingSafeEqual(found, wanted));
  });
  if (!isRight) {
    throw new SignatureError(
      'The signature does not match. Check the secret, and sign the exact bytes of the body.',
    );
  }
  const age = now - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  const found = age > 0 ? `${Math.round(age)} s ago` : `${Math.round(-age)} s in the future`;
  throw new SignatureError(
    `The signature was made ${found} (allowed: ${toleranceSeconds} s). Check the clock.`,
  );
}

/**
 * Returns the accepted secrets as a list.
 *
 * @throws InvalidArgumentError when there is none, or one is empty
 */
export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && !secrets.includes('')) return secrets;
  throw new InvalidArgumentError("Option 'secret' must not be empty.");
}

function digest(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

interface ParsedHeader {
  /** The timestamp exactly as signed. */
  readonly timestamp: string;
  readonly digests: readonly Buffer[];
}

/** Parses `t=…` and every `v1=…`; parts of other names belong to other versions. */
function parseHeader(value: string | readonly string[] | undefined): ParsedHeader {
  if (value === undefined || value.length === 0) throw new SignatureError('The signature is missing.');
  const parts = [value]
    .flat()
    .flatMap(line => line.split(','))
    .map(part => part.trim());
  const valuesOf = (name: string) =>
    parts.filter(part => part.startsWith(`${name}=`)).map(part => part.slice(name.length + 1));
  const [timestamp = '', ...others] = valuesOf('t');
  if (!/^\d{1,12}$/.test(timestamp) || others.length > 0) {
    throw new SignatureError('The signature must have the form t=<seconds>,v1=<signature>, with one time.');
  }
  const digests = valuesOf('v1').filter(hex => /^[0-9a-f]{64}$/.test(hex));
  if (digests.length === 0) {
    throw new SignatureError(
      'The signature must have the form t=<seconds>,v1=<signature>, with 64 hexadecimal digits in v1.',
    );
  }
  return { timestamp, digests: digests.map(hex => Buffer.from(hex, 'hex')) };
}
