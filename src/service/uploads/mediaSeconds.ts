import { open } from 'node:fs/promises';
import { wavBytesPerSample } from '../../audio/wavFormat.ts';
import { createWavHeaderReader } from '../../audio/wavHeader.ts';

/** Headers that are longer are the task's to read. */
const HEADER_BYTES = 64 * 1024;

/**
 * Seconds of media in a file, when its header tells: of WAV. Undefined for the others, which only decoding measures.
 *
 * No more than the file can hold is believed, whatever the header says.
 */
export async function mediaSeconds(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES));
    const reader = createWavHeaderReader();
    const rest = reader.push(buffer.subarray(0, bytesRead));
    if (!reader.header) return undefined;
    const { format, dataBytes = Number.POSITIVE_INFINITY } = reader.header;
    const { size } = await file.stat();
    const bytes = Math.min(dataBytes, size - (bytesRead - rest.length));
    return bytes / (wavBytesPerSample(format.sampleFormat) * format.channels * format.sampleRate);
  } catch {
    // Not a WAV file, or a damaged one: what it is, and what is wrong with it, the task finds out.
    return undefined;
  } finally {
    await file.close();
  }
}
