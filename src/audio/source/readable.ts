import type { Readable } from 'node:stream';
import type { Observable } from 'rxjs';
import { InvalidArgumentError, RxscribeError, refuseIf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { counted } from '../../base/text.ts';
import type { OnAudioWarning } from '../format/audioWarning.ts';
import { type AudioBlock, BYTES_PER_SAMPLE, type PcmFormat } from '../format/format.ts';
import { createPcmReader } from '../pcm/pcmReader.ts';
import { blockSource, bytesOf, type SourceOptions, warnProcess } from './blockSource.ts';
import { containerBlocks } from './containerBlocks.ts';

export interface ReadableOptions extends SourceOptions {
  /** The format of raw PCM. Default: the stream is WAV or another container, which is detected from its bytes. */
  readonly format?: PcmFormat;
}

/**
 * Reads audio from a Node stream of bytes, such as stdin or a socket, no faster than the consumers of the pipeline want it.
 *
 * It can have one subscriber only; unsubscribing destroys the stream. Fails with the errors of {@link fromFile}, and with
 * `audio-missing` when the stream fails. Bytes after the last whole frame are dropped with a warning.
 *
 * @throws InvalidArgumentError for an unknown sample format, or a sample rate or number of channels below 1
 * @example
 * import { chunk, fromReadable } from 'rxscribe';
 *
 * const format = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
 * fromReadable(process.stdin, { format })
 *   .pipe(chunk(100))
 *   .subscribe(block => console.log(block.startFrame));
 */
export function fromReadable(stream: Readable, options: ReadableOptions = {}): Observable<AudioBlock> {
  namedOptions('ReadableOptions', options);
  const { format, gate, onWarning = warnProcess } = options;
  if (format) checkFormat(format);
  let isTaken = false;
  return blockSource(
    signal => {
      refuseIf(isTaken, 'An audio stream can be read by one subscriber only. Use share() for several.');
      isTaken = true;
      const bytes = bytesOf(stream, signal);
      return format ? rawBlocks(bytes, format, onWarning) : containerBlocks(bytes, { signal, onWarning });
    },
    { gate },
  );
}

async function* rawBlocks(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  onWarning: OnAudioWarning,
): AsyncGenerator<AudioBlock> {
  const reader = createPcmReader(format);
  for await (const piece of bytes) {
    const block = reader.push(piece);
    if (block) yield block;
  }
  const { frames, pending } = reader;
  if (frames === 0) throw new RxscribeError('audio-empty', 'Cannot read raw audio: it has no samples.');
  if (pending > 0) {
    const message = `The raw audio ends within a frame: ${counted(pending, 'byte')} after frame ${frames} are dropped.`;
    onWarning({ code: 'audio-truncated', message });
  }
}

function checkFormat({ sampleFormat, sampleRate, channels }: PcmFormat): void {
  if (!Object.hasOwn(BYTES_PER_SAMPLE, sampleFormat)) {
    const known = Object.keys(BYTES_PER_SAMPLE).join(', ');
    throw new InvalidArgumentError(`Sample format '${sampleFormat}' is not supported (supported: ${known}).`);
  }
  for (const [name, value] of Object.entries({ sampleRate, channels })) {
    refuseIf(
      !Number.isSafeInteger(value) || value < 1,
      `Option '${name}' must be a positive integer, not ${value}.`,
    );
  }
}
