import { createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { CassetteError } from './cassetteError.ts';
import type { ByteRange, ParsedCassette } from './cassetteParser.ts';

/** The file with the audio of a cassette, beside it or inside. */
export interface AudioFile {
  readonly container: 'wav' | 'flac';
  /** Undefined inside. */
  readonly path?: string;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

const READ_BYTES = 256 * 1024;

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
    return isCutOff ? undefined : { container, bytes: () => insideBytes(path, audioData) };
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

async function* insideBytes(path: string, pieces: readonly ByteRange[]): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  for (const { offset, bytes } of pieces) {
    const line = Buffer.alloc(bytes);
    await file.read(line, 0, bytes, offset);
    yield Buffer.from(dataOf(path, line), 'base64');
  }
}

function dataOf(path: string, line: Buffer): string {
  try {
    return (JSON.parse(line.toString()) as { data: string }).data;
  } catch (cause) {
    throw new CassetteError({ path }, 'wanted the file that was read before, found it changed', { cause });
  }
}
