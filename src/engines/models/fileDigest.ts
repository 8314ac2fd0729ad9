import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const PIECE_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file in hexadecimal, in bounded memory.
 *
 * @throws the signal's reason; whatever the file system throws
 */
export async function fileDigest(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}
