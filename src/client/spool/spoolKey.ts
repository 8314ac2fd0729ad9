import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../base/errors.ts';
import { fileError } from './fileAccess.ts';

const KEY_BYTES = 32;

/**
 * Reads the key of a spool from a file with 32 bytes, raw, as 64 hexadecimal digits, or as base64.
 *
 * @throws InvalidArgumentError when the file cannot be read or holds anything else
 * @example
 * // openssl rand -hex 32 > spool.key
 * const key = readSpoolKey('spool.key');
 */
export function readSpoolKey(path: string): Uint8Array {
  const bytes = contents(path);
  if (bytes.length === KEY_BYTES) return new Uint8Array(bytes);
  const text = bytes.toString('latin1').trim();
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  // 32 bytes are 43 digits of base64, and a padding character.
  if (isHex || /^[\w+/-]{43}=?$/.test(text))
    return new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64'));
  throw new InvalidArgumentError(
    `Cannot read spool key '${path}': it must hold ${KEY_BYTES} bytes, raw, as 64 hexadecimal digits or as base64, ` +
      `not ${bytes.length} bytes of another form.`,
  );
}

/**
 * Returns a key as it is.
 *
 * @throws InvalidArgumentError when it is not 32 bytes long
 */
export function checkSpoolKey(key: Uint8Array | undefined): Uint8Array | undefined {
  if (key === undefined || key.length === KEY_BYTES) return key;
  throw new InvalidArgumentError(`The key of a spool must have ${KEY_BYTES} bytes, not ${key.length}.`);
}

function contents(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new InvalidArgumentError(fileError(`Cannot read spool key '${path}'`, cause).message, { cause });
  }
}
