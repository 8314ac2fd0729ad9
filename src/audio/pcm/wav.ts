import { RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { createPcmReader, type PcmReader } from './pcmReader.ts';
import type { WavFormat } from './wavFormat.ts';
import { createWavHeaderReader } from './wavHeader.ts';

/** Totals at the end of a WAV input. */
export interface WavEnd {
  readonly frames: number;
  /** Missing bytes: announced by the header but not received, or of an unfinished last frame. 0 for an intact file. */
  readonly lostBytes: number;
}

/** Decodes a WAV file or stream, in pieces of any size. */
export interface WavReader {
  /** Undefined until the header has been read. */
  readonly format: WavFormat | undefined;
  /**
   * Takes bytes and returns the frames that they complete, if any. Chunks after the samples are skipped.
   *
   * @throws RxscribeError `audio-corrupt` or `audio-unsupported`; the reader cannot be used afterwards
   */
  push(bytes: Uint8Array): AudioBlock | undefined;
  /**
   * Ends the input.
   *
   * @throws RxscribeError `audio-empty` when there was no input or not a single frame, `audio-corrupt` when it ended
   * within the header
   */
  end(): WavEnd;
}

/**
 * Creates a reader of PCM of 8 to 32 bits, floats of 32 and 64 bits, A-law and mu-law, in RIFF, RF64 and BW64, plain or
 * extensible, also without sizes, as written to pipes. Its samples do not depend on how the bytes are cut into pieces.
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
      if (inputBytes === 0) throw new RxscribeError('audio-empty', 'Cannot read WAV: it is empty.');
      if (!header) {
        throw new RxscribeError(
          'audio-corrupt',
          `Cannot read WAV: it ends within the header, after ${inputBytes} bytes.`,
        );
      }
      const { frames = 0, pending = 0 } = pcmReader ?? {};
      if (frames === 0) throw new RxscribeError('audio-empty', 'Cannot read WAV: it has no samples.');
      const missingBytes = (header.dataBytes ?? dataBytes) - dataBytes;
      return { frames, lostBytes: missingBytes + pending };
    },
  };
}
