import { open, rm } from 'node:fs/promises';
import { ProblemError } from '../problems.ts';

/** There is no room for more: on the disk, of the quota, or of what the process may write to one file. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Writes a stream to a new file that only its owner can read, no faster than the disk takes it.
 *
 * @returns the bytes that were written
 * @throws ProblemError `unavailable` when the disk is full; what the stream throws. Nothing is left of the file then.
 */
export async function spoolFile(path: string, contents: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of contents) {
      await writeAll(file, piece);
      bytes += piece.length;
    }
    return bytes;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, piece: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
  } catch (error) {
    if (!NO_ROOM.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new ProblemError('unavailable', { detail: 'There is no room for the upload' });
  }
}
