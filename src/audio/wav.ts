import { RxscribeError } from '../base/errors.ts';
import { type AudioBlock, framesOf } from './format.ts';
import { createFrameAssembler, type FrameAssembler } from './frameAssembler.ts';
import { decodePcm } from './pcm.ts';
import { type WavFormat, wavBytesPerSample } from './wavFormat.ts';
import { createWavHeaderReader, type WavHeader } from './wavHeader.ts';

/** How a WAV input ended. */
export interface WavEnd {
  readonly frames: number;
  /** Bytes that are lost: announced by the header but never seen, or of an unfinished last frame. 0 when all is well. */
  readonly lostBytes: number;
}

/** Reads a WAV file or stream from pieces of any size. */
export interface WavReader {
  /** Undefined until the header has been read. */
  readonly format: WavFormat | undefined;
  /**
   * Takes bytes; returns the frames that they complete, if any. Chunks after the samples are passed over.
   *
   * @throws RxscribeError `audio-corrupt` or `audio-unsupported`; the reader is of no use then
   */
  push(bytes: Uint8Array): AudioBlock | undefined;
  /**
   * Says that the input is over.
   *
   * @throws RxscribeError `audio-empty` when there was no input or not a single frame, `audio-corrupt` when it ended
   * within the header
   */
  end(): WavEnd;
}

/**
 * A reader of PCM of 8 to 32 bits, floats of 32 and 64 bits, A-law and mu-law, in RIFF, RF64 and BW64, plain or
 * extensible; also as pipes write it, without sizes. What comes out does not depend on how the bytes were cut.
 *
 * @example
 * const reader = createWavReader();
 * for await (const bytes of stream) consume(reader.push(bytes));
 * const { frames, lostBytes } = reader.end();
 */
export function createWavReader(): WavReader {
  const headerReader = createWavHeaderReader();
  let assembler: FrameAssembler | undefined;
  let inputBytes = 0;
  let dataBytes = 0;
  let frames = 0;

  function pushData(
    { format, dataBytes: announced = Number.POSITIVE_INFINITY }: WavHeader,
    bytes: Uint8Array,
  ) {
    const data = bytes.subarray(0, announced - dataBytes);
    dataBytes += data.length;
    assembler ??= createFrameAssembler(wavBytesPerSample(format.sampleFormat) * format.channels);
    const samples = decode(assembler.push(data), format);
    if (samples.length === 0) return undefined;
    const { sampleRate, channels } = format;
    const block = { startFrame: frames, sampleRate, channels, samples };
    frames += framesOf(block);
    return block;
  }

  return {
    get format() {
      return headerReader.header?.format;
    },
    push(bytes) {
      inputBytes += bytes.length;
      const data = headerReader.push(bytes);
      return headerReader.header && pushData(headerReader.header, data);
    },
    end() {
      const { header } = headerReader;
      if (inputBytes === 0) throw new RxscribeError('audio-empty', 'read WAV: wanted audio, found no bytes');
      if (!header) {
        throw new RxscribeError(
          'audio-corrupt',
          `read WAV: wanted a whole header, found the end of the input after ${inputBytes} bytes`,
        );
      }
      if (frames === 0) throw new RxscribeError('audio-empty', 'read WAV: wanted samples, found none');
      const missingBytes = (header.dataBytes ?? dataBytes) - dataBytes;
      return { frames, lostBytes: missingBytes + (assembler?.pending ?? 0) };
    },
  };
}

function decode(bytes: Uint8Array, { sampleFormat }: WavFormat): Float32Array {
  return sampleFormat === 'F64LE' ? decodeFloat64(bytes) : decodePcm(bytes, { sampleFormat });
}

function decodeFloat64(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < samples.length; i++) {
    const sample = Math.fround(view.getFloat64(i * Float64Array.BYTES_PER_ELEMENT, true));
    samples[i] = Number.isFinite(sample) ? sample : 0;
  }
  return samples;
}
