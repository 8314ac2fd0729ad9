import { open, rm } from 'node:fs/promises';

/**
 * Writes a stream to a new file that only its owner can read, no faster than the disk takes it.
 *
 * @throws what the stream or the disk throws; nothing is left of the file then
 */
export async function spoolFile(path: string, contents: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of contents) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
