import type { PcmFormat } from '../../audio/format/format.ts';
import { encodePcm } from '../../audio/pcm/pcm.ts';
import { createWavHeaderReader } from '../../audio/pcm/wavHeader.ts';
import { containerBlocks } from '../../audio/source/containerBlocks.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { AudioFile } from './audioFile.ts';
import { asInFile } from './fileFormat.ts';

/**
 * The samples of an audio file as raw bytes of a format (S16BE as S16LE, which files have), in pieces of any size: of
 * WAV as they stand there, of FLAC as ffmpeg reads them.
 *
 * @throws RxscribeError of `src/audio`, or `audio-unsupported` when the file is of another format
 */
export async function* rawSamples(
  { container, bytes }: Pick<AudioFile, 'container' | 'bytes'>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const read = container === 'wav' ? wavSamples : flacSamples;
  yield* read(bytes(), asInFile(format), signal);
}

async function* wavSamples(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = createWavHeaderReader();
  let rest = Number.POSITIVE_INFINITY;
  let isChecked = false;
  for await (const piece of bytes) {
    signal.throwIfAborted();
    const behind = reader.push(piece);
    if (!reader.header) continue;
    if (!isChecked) {
      const { format: found, dataBytes } = reader.header;
      checkFormat(format, found);
      rest = dataBytes ?? rest;
      isChecked = true;
    }
    const samples = behind.subarray(0, Math.min(behind.length, rest));
    rest -= samples.length;
    if (samples.length > 0) yield samples;
  }
  if (!isChecked) throw new RxscribeError('audio-corrupt', 'wanted a whole WAV header, found the end');
}

async function* flacSamples(
  bytes: AsyncIterable<Uint8Array>,
  format: PcmFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const onWarning = () => {};
  for await (const block of containerBlocks(bytes, { signal, onWarning })) {
    checkFormat(format, { ...block, sampleFormat: format.sampleFormat });
    yield encodePcm(block.samples, format.sampleFormat);
  }
}

interface FoundFormat extends Omit<PcmFormat, 'sampleFormat'> {
  readonly sampleFormat: string;
}

function checkFormat(wanted: FoundFormat, found: FoundFormat): void {
  const [a, b] = [nameOf(wanted), nameOf(found)];
  if (a !== b) throw new RxscribeError('audio-unsupported', `wanted ${a}, found ${b}`);
}

function nameOf({ sampleFormat, sampleRate, channels }: FoundFormat): string {
  return `${sampleFormat} of ${sampleRate} Hz, channels: ${channels}`;
}
