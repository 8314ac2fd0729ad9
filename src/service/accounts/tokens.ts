import { createHash } from 'node:crypto';
import { createId } from '../../base/ids.ts';

/** 43 characters of base62 carry 256 bits. */
const TOKEN_LENGTH = 43;

/** A new access token: 256 random bits. */
export function createToken(): string {
  return createId(TOKEN_LENGTH);
}

/**
 * What is kept of a token. One round of SHA-256 is right: 256 random bits cannot be guessed, which is what slow password
 * hashes are there to hinder, and finding a row by its hash tells a stopwatch nothing of the token.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
