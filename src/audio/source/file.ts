import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Observable } from 'rxjs';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { blockSource, bytesOf, READ_BYTES, type SourceOptions, warnProcess } from './blockSource.ts';
import { type ContainerOptions, containerBlocks } from './containerBlocks.ts';
import { type DecodeOptions, decodeFile } from './decode.ts';

/**
 * The audio of a file, at its own rate and channels, as fast as the gate lets it through.
 *
 * What the file is, is seen from its bytes, not from its name. WAV is read natively, anything else by ffmpeg. Positions
 * count decoded frames: where the timestamps of a container leave something out, what follows comes early. Each
 * subscriber reads it anew; unsubscribing closes the file and ends ffmpeg. Errors are RxscribeErrors: `audio-missing`
 * (not there, not readable, a directory), `audio-empty`, `audio-corrupt`, `audio-unsupported`, `program-missing` or
 * `program-failed`. A WAV file that is cut short is read as far as it goes, with a warning.
 *
 * @example
 * const gate = createGate();
 * fromFile('talk.mp3', { gate }).pipe(resample(), chunk(), transcribe({ url, token, gate }));
 */
export function fromFile(path: string, options: SourceOptions = {}): Observable<AudioBlock> {
  const { gate, onWarning = warnProcess } = options;
  return blockSource(signal => fileBlocks(path, { signal, onWarning }), gate);
}

/**
 * The same, one block at a time as they are asked for. Aborting ends it, with ffmpeg. {@link DecodeOptions.tolerant} is
 * for what ffmpeg reads.
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
  // A pipe with a name cannot be opened twice.
  const decode: ContainerOptions['decode'] = isRegular
    ? container => decodeFile(path, { signal, onWarning, container, tolerant })
    : undefined;
  yield* containerBlocks(bytes, { signal, onWarning, decode });
}

/** Whether the path names a regular file. */
async function checkPath(path: string): Promise<boolean> {
  const missing = (found: string, cause?: unknown) =>
    new RxscribeError('audio-missing', `read audio file: ${found}`, { cause });
  const stats = await stat(path).catch(error => {
    throw missing(messageOf(error), error);
  });
  if (stats.isDirectory()) throw missing(`wanted a file, found the directory ${path}`);
  return stats.isFile();
}
