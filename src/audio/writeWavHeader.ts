import { InvalidArgumentError } from '../base/errors.ts';
import { WAV_TAG, type WavFormat, wavBytesPerSample } from './wavFormat.ts';

const UINT32_MAX = 0xffff_ffff;

/**
 * The bytes of a WAV file up to its samples. Without `dataBytes`, or beyond 4 GiB, the sizes are all ones, which readers
 * take as "until the end".
 *
 * @example
 * stdout.write(writeWavHeader({ sampleFormat: 'S16LE', sampleRate: 16000, channels: 1 }));
 * @throws InvalidArgumentError for big-endian samples
 */
export function writeWavHeader(format: WavFormat, dataBytes?: number): Uint8Array {
  const { sampleFormat, sampleRate, channels } = format;
  const tag = tagOf(sampleFormat);
  const bytesPerSample = wavBytesPerSample(sampleFormat);
  // Every codec but PCM states the length of its extension, which is 0.
  const formatBytes = tag === WAV_TAG.pcm ? 16 : 18;
  const header = new Uint8Array(28 + formatBytes);
  const view = new DataView(header.buffer);
  const text = (at: number, id: string) => header.set(new TextEncoder().encode(id), at);
  const size = (extraBytes: number) => Math.min((dataBytes ?? UINT32_MAX) + extraBytes, UINT32_MAX);
  text(0, 'RIFF');
  view.setUint32(4, size(header.length - 8 + ((dataBytes ?? 0) % 2)), true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, formatBytes, true);
  view.setUint16(20, tag, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channels * bytesPerSample, true);
  view.setUint16(32, channels * bytesPerSample, true);
  view.setUint16(34, bytesPerSample * 8, true);
  text(header.length - 8, 'data');
  view.setUint32(header.length - 4, size(0), true);
  return header;
}

function tagOf(sampleFormat: WavFormat['sampleFormat']): number {
  switch (sampleFormat) {
    case 'S16BE':
      throw new InvalidArgumentError('write WAV header: wanted little-endian samples, found S16BE');
    case 'F32LE':
    case 'F64LE':
      return WAV_TAG.float;
    case 'ALAW':
      return WAV_TAG.alaw;
    case 'MULAW':
      return WAV_TAG.mulaw;
    default:
      return WAV_TAG.pcm;
  }
}
