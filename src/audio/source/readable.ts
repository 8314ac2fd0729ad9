import type { Readable } from 'node:stream';
import type { Observable } from 'rxjs';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { type AudioBlock, BYTES_PER_SAMPLE, type PcmFormat } from '../format/format.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import { type AudioWarning, blockSource, bytesOf, type SourceOptions, warnProcess } from './blockSource.ts';
import { containerBlocks } from './containerBlocks.ts';

export interface ReadableOptions extends SourceOptions {
  /** What raw PCM bytes mean. Absent: the stream is WAV or another container, which is found out from its bytes. */
  readonly format?: PcmFormat;
}

/**
 * The audio of a Node stream of bytes: stdin, a socket, a PassThrough.
 *
 * It is read no faster than the gate lets through, and can be read by one subscriber only; unsubscribing destroys it.
 * Errors are those of `fromFile`; `audio-missing` when the stream fails. Bytes behind the last whole frame are dropped
 * with a warning.
 *
 * @example
 * fromReadable(process.stdin, { format: { sampleFormat: 'S16LE', sampleRate: 16000, channels: 1 } });
 * @throws InvalidArgumentError for a format that cannot be
 */
export function fromReadable(stream: Readable, options: ReadableOptions = {}): Observable<AudioBlock> {
  const { format, gate, onWarning = warnProcess } = options;
  if (format) checkFormat(format);
  let isTaken = false;
  return blockSource(signal => {
    if (isTaken) throw new InvalidArgumentError('read audio stream: wanted one subscriber, found a second');
    isTaken = true;
    const bytes = bytesOf(stream, signal);
    return format ? rawBlocks(bytes, format, onWarning) : containerBlocks(bytes, { signal, onWarning });
  }, gate);
}

async function* rawBlocks(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  onWarning: (warning: AudioWarning) => void,
): AsyncGenerator<AudioBlock> {
  const reader = createPcmReader(format);
  for await (const piece of bytes) {
    const block = reader.push(piece);
    if (block) yield block;
  }
  const { frames, pending } = reader;
  if (frames === 0) throw new RxscribeError('audio-empty', 'read raw audio: wanted samples, found none');
  if (pending > 0) {
    const message = `read raw audio: ${pending} bytes after ${frames} frames are no whole frame`;
    onWarning({ code: 'audio-truncated', message });
  }
}

function checkFormat({ sampleFormat, sampleRate, channels }: PcmFormat): void {
  if (!Object.hasOwn(BYTES_PER_SAMPLE, sampleFormat)) {
    const known = Object.keys(BYTES_PER_SAMPLE).join(', ');
    throw new InvalidArgumentError(`raw audio: wanted a sample format of ${known}, found ${sampleFormat}`);
  }
  for (const [name, value] of Object.entries({ sampleRate, channels })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new InvalidArgumentError(`raw audio: wanted a positive integer as ${name}, found ${value}`);
    }
  }
}
