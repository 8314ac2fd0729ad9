import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bytesPerFrame } from '../../../audio/format/format.ts';
import { MAX_WAV_DATA_BYTES, writeWav } from '../../../audio/pcm/writeWav.ts';
import { messageOf } from '../../../base/errors.ts';
import type { AudioLine } from '../cassette.ts';
import { CassetteError } from '../cassetteError.ts';
import { asInFile, formatOf } from '../cassetteLines.ts';
import type { ByteRange, ParsedCassette } from './cassetteParser.ts';

/** The file with the audio of a cassette, beside it or inside. */
export interface AudioFile {
  readonly container: 'wav' | 'flac';
  /** Undefined inside. */
  readonly path?: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

const READ_BYTES = 256 * 1024;

/** Where a plain WAV header has its sizes. */
const RIFF_SIZE_AT = 4;
const DATA_SIZE_AT = 40;

/**
 * Where the audio of a cassette is; undefined when none was kept.
 *
 * @throws CassetteError when a file beside the cassette is not there, or is no plain file
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
    const fault = `wanted the audio file ${file} beside it, found ${messageOf(cause)}`;
    throw new CassetteError({ path, line: lastLine }, fault, { cause });
  });
  return {
    container,
    path: audioPath,
    bytes: () => createReadStream(audioPath, { highWaterMark: READ_BYTES }),
  };
}

/** A link could lead out of the directory. */
async function checkFile(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isFile()) throw new Error(stats.isSymbolicLink() ? 'a link' : 'no file');
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

/** Of audio inside, the header was written before the length was known; there are players that want to know it. */
function withLength(data: Buffer, header: Uint8Array): Uint8Array {
  const start = Buffer.from(header);
  for (const at of [RIFF_SIZE_AT, DATA_SIZE_AT]) data.copy(start, at, at, at + 4);
  // Only of a header that is the same but for the sizes.
  return start.equals(data.subarray(0, start.length))
    ? Buffer.concat([header, data.subarray(header.length)])
    : data;
}

/** Undefined for more than a WAV file can hold. */
function wavHeader(line: AudioLine, frames: number): Uint8Array | undefined {
  const format = asInFile(formatOf(line));
  if (frames * bytesPerFrame(format) > MAX_WAV_DATA_BYTES) return undefined;
  const [header] = writeWav(format, frames, []).bytes;
  return header;
}

function dataOf(path: string, line: Buffer): string {
  try {
    return (JSON.parse(line.toString()) as { data: string }).data;
  } catch (cause) {
    throw new CassetteError({ path }, 'wanted the file that was read before, found it changed', { cause });
  }
}
