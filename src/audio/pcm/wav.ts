import { RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { createPcmReader, type PcmReader } from './pcmReader.ts';
import type { WavFormat } from './wavFormat.ts';
import { createWavHeaderReader } from './wavHeader.ts';

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
  let pcmReader: PcmReader | undefined;
  let inputBytes = 0;
  let dataBytes = 0;
  return {
    get format() {
      return headerReader.header?.format;
    },
    push(bytes) {
      inputBytes += bytes.length;
      const rest = headerReader.push(bytes);
      const { header } = headerReader;
      if (!header) return undefined;
      const data = rest.subarray(0, (header.dataBytes ?? Number.POSITIVE_INFINITY) - dataBytes);
      dataBytes += data.length;
      pcmReader ??= createPcmReader(header.format);
      return pcmReader.push(data);
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
      const { frames = 0, pending = 0 } = pcmReader ?? {};
      if (frames === 0) throw new RxscribeError('audio-empty', 'read WAV: wanted samples, found none');
      const missingBytes = (header.dataBytes ?? dataBytes) - dataBytes;
      return { frames, lostBytes: missingBytes + pending };
    },
  };
}
