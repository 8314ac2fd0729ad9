import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesPerFrame } from '../../../audio/format/format.ts';
import { MAX_WAV_DATA_BYTES, writeWav } from '../../../audio/pcm/wav.ts';
import { reasonOf } from '../../../base/errors.ts';
import { CassetteError } from '../cassetteError.ts';
import { asInFile, formatOf } from '../cassetteLines.ts';
import type { LineOf } from '../cassetteSchema.ts';
import type { ByteRange, ParsedCassette } from './cassetteParser.ts';

/** The audio file of a cassette, beside it or embedded. */
export interface AudioFile {
  readonly container: 'wav' | 'flac';
  /** Undefined for embedded audio. */
  readonly path?: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

const READ_BYTES = 256 * 1024;

/** Offsets of the sizes in a plain WAV header. */
const RIFF_SIZE_AT = 4;
const DATA_SIZE_AT = 40;

/**
 * Returns the audio file of a cassette; undefined when no audio was kept.
 *
 * @throws CassetteError when a file beside the cassette does not exist, or is not a regular file
 */
export async function audioFileOf(path: string, parsed: ParsedCassette): Promise<AudioFile | undefined> {
  const { audioLine, end, audioData, lastLine } = parsed;
  const kept = end ? end.audio : audioLine;
  if (!kept?.container) return undefined;
  const { container, file } = kept;
  if (file === undefined) {
    const isCutOff = !end && audioData.length === 0;
    const header = container === 'wav' && audioLine && end ? wavHeader(audioLine, end.frames) : undefined;
    return isCutOff ? undefined : { container, bytes: () => insideBytes(path, audioData, header) };
  }
  const audioPath = join(dirname(path), file);
  await checkFile(audioPath).catch(cause => {
    const fault = `the audio file '${file}' beside it cannot be used: ${reasonOf(cause)}`;
    throw new CassetteError({ path, line: lastLine }, fault, { cause });
  });
  return {
    container,
    path: audioPath,
    bytes: () => createReadStream(audioPath, { highWaterMark: READ_BYTES }),
  };
}

/** Accepts regular files only, because a link could lead out of the directory. */
async function checkFile(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(stats.isSymbolicLink() ? 'it is a link' : 'it is not a file');
}

async function* insideBytes(
  path: string,
  pieces: readonly ByteRange[],
  header: Uint8Array | undefined,
): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  for (const [index, { offset, bytes }] of pieces.entries()) {
    const line = Buffer.alloc(bytes);
    await file.read(line, 0, bytes, offset);
    const data = Buffer.from(dataOf(path, line), 'base64');
    yield header && index === 0 ? withLength(data, header) : data;
  }
}

/**
 * Puts the length into the header of embedded audio, which was written before the length was known and which some
 * players need.
 */
function withLength(data: Buffer, header: Uint8Array): Uint8Array {
  const start = Buffer.from(header);
  for (const at of [RIFF_SIZE_AT, DATA_SIZE_AT]) data.copy(start, at, at, at + 4);
  // Only if the header differs in nothing but the sizes.
  return start.equals(data.subarray(0, start.length))
    ? Buffer.concat([header, data.subarray(header.length)])
    : data;
}

/** Returns the WAV header of a length; undefined for more than a WAV file can hold. */
function wavHeader(line: LineOf<'audio'>, frames: number): Uint8Array | undefined {
  const format = asInFile(formatOf(line));
  if (frames * bytesPerFrame(format) > MAX_WAV_DATA_BYTES) return undefined;
  const [header] = writeWav(format, frames, []).bytes;
  return header;
}

function dataOf(path: string, line: Buffer): string {
  try {
    return (JSON.parse(line.toString()) as { data: string }).data;
  } catch (cause) {
    throw new CassetteError({ path }, 'it has changed since it was read', { cause });
  }
}
