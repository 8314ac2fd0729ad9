import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from '../../base/errors.ts';

const KEY_BYTES = 32;

/**
 * The key of a spool, from a file with 32 bytes, or with these as 64 hexadecimal digits or as base64.
 *
 * @throws InvalidArgumentError when the file cannot be read or holds something else
 * @example
 * // openssl rand -hex 32 > spool.key
 * const key = readSpoolKey('spool.key');
 */
export function readSpoolKey(path: string): Uint8Array {
  const bytes = contents(path);
  if (bytes.length === KEY_BYTES) return new Uint8Array(bytes);
  const text = bytes.toString('latin1').trim();
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  // 43 digits of base64 are 32 bytes; a 44th fills up.
  if (isHex || /^[\w+/-]{43}=?$/.test(text))
    return new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64'));
  const wanted = `${KEY_BYTES} bytes, or these as 64 hexadecimal digits or as base64`;
  throw new InvalidArgumentError(
    `read spool key ${path}: wanted ${wanted}, found ${bytes.length} bytes of another form`,
  );
}

/** @throws InvalidArgumentError when a key has not 32 bytes */
export function checkSpoolKey(key: Uint8Array | undefined): Uint8Array | undefined {
  if (key === undefined || key.length === KEY_BYTES) return key;
  throw new InvalidArgumentError(
    `seal a spool: wanted a key of ${KEY_BYTES} bytes, found one of ${key.length}`,
  );
}

function contents(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new InvalidArgumentError(`read spool key ${path}: wanted a file that can be read, found ${code}`, {
      cause,
    });
  }
}
