import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSpoolKey } from '../../../src/client/spool/spoolKey.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const key = randomBytes(32);

async function keyFile(contents: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), 'spool.key');
  writeFileSync(path, contents);
  return path;
}

describe('the key of a spool', () => {
  test.each([
    ['its bytes', key],
    ['hexadecimal digits', key.toString('hex')],
    ['upper-case digits with a line end', `${key.toString('hex').toUpperCase()}\r\n`],
    ['base64', `${key.toString('base64')}\n`],
    ['base64 without padding', key.toString('base64').slice(0, -1)],
    ['base64 for URLs', key.toString('base64url')],
  ])('is read from %s', async (_, contents) => {
    expect(readSpoolKey(await keyFile(contents))).toEqual(new Uint8Array(key));
  });

  test.each([
    ['nothing', ''],
    ['31 bytes', key.subarray(1)],
    ['63 digits', key.toString('hex').slice(1)],
    ['a sentence', 'correct horse battery staple, and then some more'],
  ])('is not read from %s, which no error contains', async (_, contents) => {
    const path = await keyFile(contents);
    expect(() => readSpoolKey(path)).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: expect.stringMatching(
          /^Cannot read spool key '.*': it must hold 32 bytes, .*, not \d+ bytes of another form\.$/,
        ),
      }),
    );
  });

  test('must be in a readable file', () => {
    expect(() => readSpoolKey('/nonexistent/spool.key')).toThrow(
      /^Cannot read spool key '.*': no such file or directory\.$/,
    );
  });
});
