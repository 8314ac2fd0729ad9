import { RxscribeError } from '../../base/errors.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../format/format.ts';

/** The sample format of a WAV file. */
export interface WavFormat {
  readonly sampleFormat: SampleFormat | 'F64LE';
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
}

/** Plausible sample rates in Hz; any other means that the file is damaged. */
export const WAV_SAMPLE_RATE_RANGE = { min: 1000, max: 768_000 } as const;

/** Bytes of a `fmt ` chunk that are read; the rest is skipped. */
export const WAV_FORMAT_CHUNK_BYTES = 40;

/** Numbers of codecs in the `fmt ` chunk. */
export const WAV_TAG = {
  pcm: 0x0001,
  float: 0x0003,
  alaw: 0x0006,
  mulaw: 0x0007,
  extensible: 0xfffe,
} as const;

/** Sample formats of integers of 1, 2, 3 and 4 bytes. */
const PCM_BY_BYTES = ['U8', 'S16LE', 'S24LE', 'S32LE'] as const;

/** The last 14 bytes of the subformat GUIDs that are a format tag in disguise (RFC 2361, appendix A). */
const GUID_TAIL = [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71];

/** Returns the bytes per sample of a WAV file. */
export function wavBytesPerSample(sampleFormat: WavFormat['sampleFormat']): number {
  return sampleFormat === 'F64LE' ? 8 : BYTES_PER_SAMPLE[sampleFormat];
}

/**
 * Parses the body of a `fmt ` chunk.
 *
 * @throws RxscribeError `audio-unsupported` for a codec that is not PCM, float, A-law or mu-law, `audio-corrupt` for
 * values that contradict each other
 */
export function parseWavFormat(chunk: Uint8Array): WavFormat {
  if (chunk.length < 16) throw corrupt(`its format chunk has ${chunk.length} bytes, fewer than 16`);
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const bytesPerFrame = view.getUint16(12, true);
  const sampleFormat = sampleFormatOf(formatTag(view), view.getUint16(14, true));
  if (sampleRate < WAV_SAMPLE_RATE_RANGE.min || sampleRate > WAV_SAMPLE_RATE_RANGE.max) {
    const { min, max } = WAV_SAMPLE_RATE_RANGE;
    throw corrupt(`its sample rate must be from ${min} to ${max} Hz, not ${sampleRate}`);
  }
  const wanted = wavBytesPerSample(sampleFormat) * channels;
  if (channels === 0 || wanted !== bytesPerFrame) {
    throw corrupt(
      `its frames have ${bytesPerFrame} bytes, but ${channels} channels of ${sampleFormat} need ${wanted}`,
    );
  }
  return { sampleFormat, sampleRate, channels };
}

function formatTag(view: DataView): number {
  const tag = view.getUint16(0, true);
  if (tag !== WAV_TAG.extensible) return tag;
  if (view.byteLength < WAV_FORMAT_CHUNK_BYTES) {
    throw corrupt(
      `its extensible format chunk has ${view.byteLength} bytes, fewer than ${WAV_FORMAT_CHUNK_BYTES}`,
    );
  }
  if (GUID_TAIL.some((byte, i) => view.getUint8(26 + i) !== byte)) {
    throw unsupported('its subformat is unknown');
  }
  return view.getUint16(24, true);
}

function sampleFormatOf(tag: number, bits: number): WavFormat['sampleFormat'] {
  switch (tag) {
    case WAV_TAG.pcm:
      // Samples of a width in between fill the upper bits of the next larger container, so only the container matters.
      if (bits >= 1 && bits <= 32) return PCM_BY_BYTES[Math.ceil(bits / 8) - 1]!;
      throw unsupported(`PCM of ${bits} bits is not supported (supported: 1 to 32)`);
    case WAV_TAG.float:
      if (bits === 32) return 'F32LE';
      if (bits === 64) return 'F64LE';
      throw unsupported(`floats of ${bits} bits are not supported (supported: 32, 64)`);
    case WAV_TAG.alaw:
      return 'ALAW';
    case WAV_TAG.mulaw:
      return 'MULAW';
    default:
      throw unsupported(
        `codec 0x${tag.toString(16).padStart(4, '0')} is not supported (supported: PCM, float, A-law, mu-law)`,
      );
  }
}

function corrupt(problem: string): RxscribeError {
  return new RxscribeError('audio-corrupt', `Cannot read WAV: ${problem}.`);
}

function unsupported(problem: string): RxscribeError {
  return new RxscribeError('audio-unsupported', `Cannot read WAV: ${problem}.`);
}
