import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError, RxscribeError } from '../base/errors.ts';

/** Seconds by which the time of a signature may differ from that of the receiver. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** A notification does not come, unchanged and just now, from somebody who knows the secret. */
export class SignatureError extends RxscribeError {
  constructor(message: string) {
    super('unauthorized', `notification signature: ${message}`);
  }
}

/** What signs a notification. */
export interface SignatureInput {
  readonly secret: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly timestamp: number;
  /** All bytes of the body as they are sent; of a string, in UTF-8. */
  readonly body: string | Uint8Array;
}

/**
 * The value of a notification's signature header: `t=<timestamp>,v1=<signature>`, where the signature is HMAC-SHA256 in
 * hexadecimal over the timestamp, a dot and the exact bytes of the body.
 */
export function signNotification({ secret, timestamp, body }: SignatureInput): string {
  return `t=${timestamp},v1=${digest(secret, String(timestamp), body).toString('hex')}`;
}

export interface SignatureCheck {
  readonly body: string | Uint8Array;
  /** Value of the header. */
  readonly signature: string | readonly string[] | undefined;
  /** Of several, any may have signed: so a secret can be replaced while notifications are on their way. */
  readonly secret: string | readonly string[];
  readonly toleranceSeconds: number;
  /** Seconds since 1970-01-01 UTC. */
  readonly now: number;
}

/**
 * Checks a signature, and only if it is right the time that it was made.
 *
 * @throws SignatureError
 * @throws InvalidArgumentError without a secret
 */
export function checkSignature({ body, signature, secret, toleranceSeconds, now }: SignatureCheck): void {
  const secrets = secretsOf(secret);
  const { timestamp, digests } = parseHeader(signature);
  const isRight = secrets.some(secret => {
    const wanted = digest(secret, timestamp, body);
    return digests.some(found => timingSafeEqual(found, wanted));
  });
  if (!isRight) throw new SignatureError('wanted one of this secret and these very bytes, found another');
  const age = now - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  const found = age > 0 ? `from ${Math.round(age)} s ago` : `from ${Math.round(-age)} s in the future`;
  throw new SignatureError(`wanted one of the last ${toleranceSeconds} s, found one ${found}`);
}

/**
 * The secrets that may have signed.
 *
 * @throws InvalidArgumentError when there is none, or one that everybody knows
 */
export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && !secrets.includes('')) return secrets;
  throw new InvalidArgumentError('notification signature: wanted a secret, found none');
}

function digest(secret: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

interface ParsedHeader {
  /** As it was signed. */
  readonly timestamp: string;
  readonly digests: readonly Buffer[];
}

/** Reads `t=…` and every `v1=…`; parts of other names are of other versions. */
function parseHeader(value: string | readonly string[] | undefined): ParsedHeader {
  if (value === undefined || value.length === 0) throw new SignatureError('wanted one, found none');
  const parts = [value]
    .flat()
    .flatMap(line => line.split(','))
    .map(part => part.trim());
  const valuesOf = (name: string) =>
    parts.filter(part => part.startsWith(`${name}=`)).map(part => part.slice(name.length + 1));
  const [timestamp = '', ...others] = valuesOf('t');
  if (!/^\d{1,12}$/.test(timestamp) || others.length > 0) {
    throw new SignatureError('wanted t=<seconds>,v1=<signature>, found no time or several');
  }
  const digests = valuesOf('v1').filter(hex => /^[0-9a-f]{64}$/.test(hex));
  if (digests.length === 0) {
    throw new SignatureError('wanted t=<seconds>,v1=<signature>, found no v1 of 64 hexadecimal digits');
  }
  return { timestamp, digests: digests.map(hex => Buffer.from(hex, 'hex')) };
}
