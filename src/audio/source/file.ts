import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Observable } from 'rxjs';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import type { AudioBlock } from '../format/format.ts';
import { blockSource, bytesOf, READ_BYTES, type SourceOptions, warnProcess } from './blockSource.ts';
import { type ContainerOptions, containerBlocks } from './containerBlocks.ts';
import { type DecodeOptions, decodeFile } from './decode.ts';

/**
 * Reads the audio of a file, at its own sample rate and number of channels, no faster than the consumers of the pipeline
 * want it.
 *
 * The format is detected from the bytes, not from the name. WAV, FLAC, MP3, Ogg, WebM, Matroska, AIFF, W64 and CAF are read
 * natively with their common codecs; ffmpeg decodes everything else. Positions count decoded frames: gaps between the timestamps
 * of a container are closed. What is damaged or cut short is read as far as it goes, with a warning. Each subscriber reads the
 * file from the start; unsubscribing closes it and ends ffmpeg.
 *
 * Fails with an RxscribeError: `audio-missing` (no such file, not readable, a directory), `audio-empty`, `audio-corrupt`,
 * `audio-unsupported`, `program-missing` (no ffmpeg) or `program-failed`.
 *
 * @example
 * import { chunk, fromFile, resample, transcribe } from 'rxscribe';
 *
 * const url = 'ws://127.0.0.1:8080';
 * fromFile('talk.mp3')
 *   .pipe(resample(), chunk(), transcribe({ url, token: 'secret' }))
 *   .subscribe(event => console.log(event.type));
 */
export function fromFile(path: string, options: SourceOptions = {}): Observable<AudioBlock> {
  namedOptions('SourceOptions', options);
  const { gate, onWarning = warnProcess } = options;
  return blockSource(signal => fileBlocks(path, { signal, onWarning }), { gate });
}

/**
 * Yields the blocks of a file, each when it is requested. Aborting the signal ends the reading and ffmpeg.
 * {@link DecodeOptions.tolerant} applies to formats that ffmpeg decodes.
 *
 * @throws RxscribeError as {@link fromFile}; the signal's reason
 */
export async function* fileBlocks(
  path: string,
  { signal, onWarning, tolerant }: Omit<DecodeOptions, 'container'>,
): AsyncGenerator<AudioBlock> {
  const isRegular = await checkPath(path);
  signal.throwIfAborted();
  const bytes = bytesOf(createReadStream(path, { highWaterMark: READ_BYTES }), signal);
  // A named pipe cannot be opened twice.
  const decode: ContainerOptions['decode'] = isRegular
    ? container => decodeFile(path, { signal, onWarning, container, tolerant })
    : undefined;
  yield* containerBlocks(bytes, { signal, onWarning, decode });
}

/** Returns whether the path names a regular file. */
async function checkPath(path: string): Promise<boolean> {
  const missing = (problem: string, cause?: unknown) =>
    new RxscribeError('audio-missing', `Cannot read '${path}': ${problem}.`, { cause });
  const stats = await stat(path).catch(error => {
    throw missing(error.code === 'ENOENT' ? 'there is no such file' : reasonOf(error), error);
  });
  if (stats.isDirectory()) throw missing('it is a directory');
  return stats.isFile();
}
