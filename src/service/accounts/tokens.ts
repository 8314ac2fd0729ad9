import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { ACCESS_TOKEN_PARAMETER } from '../../protocol/interfaceNames.ts';

/** 43 characters of base62 carry 256 bits. */
const TOKEN_LENGTH = 43;

/** A new access token: 256 random bits. */
export function createToken(): string {
  return createId(TOKEN_LENGTH);
}

/**
 * Checks a token that somebody chose.
 *
 * @throws InvalidArgumentError when no request could bring it: a header takes no other characters
 */
export function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  const found = token === '' ? 'none' : 'others';
  throw new InvalidArgumentError(`access token: wanted visible ASCII characters, found ${found}`);
}

/**
 * What is kept of a token. One round of SHA-256 is right: 256 random bits cannot be guessed, which is what slow password
 * hashes are there to hinder, and finding a row by its hash tells a stopwatch nothing of the token.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** The token of a streaming connection. */
export function queryToken(parameters: URLSearchParams): string | undefined {
  return parameters.get(ACCESS_TOKEN_PARAMETER) || undefined;
}
