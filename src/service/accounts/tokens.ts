import { createHash, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';

/** 43 characters of base62 carry 256 bits. */
const TOKEN_LENGTH = 43;

/**
 * Returns a new access token: 256 random bits.
 *
 * @example
 * createToken().length; // 43
 */
export function createToken(): string {
  return createId(TOKEN_LENGTH);
}

/**
 * Checks a token chosen by the operator.
 *
 * @throws InvalidArgumentError when it contains characters that a header cannot carry
 */
export function checkToken(token: string): void {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return;
  throw new InvalidArgumentError(
    token === ''
      ? 'The access token must not be empty.'
      : 'The access token must consist of visible ASCII characters.',
  );
}

/**
 * Returns the hash stored for a token. One round of SHA-256 suffices: 256 random bits cannot be guessed, the attack that
 * slow password hashes hinder; and the time to find a row by its hash reveals nothing about the token.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns a function that compares tokens with the right one in constant time. */
export function tokenCheck(token: string): (candidate: string) => boolean {
  const expected = Buffer.from(hashToken(token));
  return candidate => timingSafeEqual(Buffer.from(hashToken(candidate)), expected);
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
