import { createHash } from 'node:crypto';
import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import { MAX_WAV_DATA_BYTES, writeWav } from '../../../audio/pcm/wav.ts';
import { RxscribeError } from '../../../base/errors.ts';
import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import { asInFile } from '../cassetteLines.ts';
import type { LineOf } from '../cassetteSchema.ts';

/** The destination of the bytes of a WAV file. */
export interface AudioSink {
  append(bytes: Uint8Array): void;
  /**
   * Overwrites the header when the length is known. Without this method, the first header, which has no length, stays.
   */
  replaceStart?(bytes: Uint8Array): void;
}

/** Frames per piece of silence. */
const SILENCE_FRAMES = 16_384;

/** Writes the audio of a source as WAV. Until it is finished, the header has no length. */
export class AudioRecorder {
  readonly #format: PcmFormat;
  readonly #sink: AudioSink;
  readonly #hash = createHash('sha256');
  #frames = 0;

  constructor(format: PcmFormat, sink: AudioSink) {
    this.#format = asInFile(format);
    this.#sink = sink;
    sink.append(this.#header(0));
  }

  get frames(): number {
    return this.#frames;
  }

  /** Writes samples. @throws RxscribeError `store` when they do not fit into a WAV file, and errors of the sink */
  write(samples: Float32Array): void {
    const frames = samples.length / this.#format.channels;
    this.#checkRoom(frames);
    const bytes = encodePcm(samples, this.#format.sampleFormat);
    this.#hash.update(bytes);
    this.#sink.append(bytes);
    this.#frames += frames;
  }

  /** Writes silence for frames that the source left out. */
  silence(frames: number): void {
    this.#checkRoom(frames);
    for (let rest = frames; rest > 0; rest -= SILENCE_FRAMES) {
      this.write(new Float32Array(Math.min(rest, SILENCE_FRAMES) * this.#format.channels));
    }
  }

  /** Completes the file and returns the SHA-256 of its samples, in hexadecimal. */
  finish(): string {
    const isOdd = (this.#frames * bytesPerFrame(this.#format)) % 2 === 1;
    if (isOdd && this.#sink.replaceStart) this.#sink.append(new Uint8Array(1));
    this.#sink.replaceStart?.(this.#header(this.#frames));
    return this.#hash.digest('hex');
  }

  #header(frames: number): Uint8Array {
    const [header] = writeWav(this.#format, frames, []).bytes;
    return header!;
  }

  #checkRoom(frames: number): void {
    const bytes = (this.#frames + frames) * bytesPerFrame(this.#format);
    if (bytes <= MAX_WAV_DATA_BYTES) return;
    throw new RxscribeError(
      'store',
      `Cannot record ${bytes} bytes of audio: a WAV file holds ${MAX_WAV_DATA_BYTES} bytes at most.`,
    );
  }
}

/** Bytes of the longest piece, before base64. */
const PIECE_BYTES = (CASSETTE_LIMITS.audioDataLength / 4) * 3;

/** Writes the bytes of an audio file as lines of a cassette. */
export class InsideSink implements AudioSink {
  readonly #write: (line: LineOf<'audio_data'>) => void;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(write: (line: LineOf<'audio_data'>) => void) {
    this.#write = write;
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE_BYTES) this.#cut(PIECE_BYTES);
  }

  /** Writes the remaining bytes. */
  flush(): void {
    this.#cut(1);
  }

  #cut(minBytes: number): void {
    const all = Buffer.concat(this.#waiting, this.#bytes);
    let at = 0;
    for (; all.length - at >= minBytes; at += PIECE_BYTES) {
      const data = all.toString('base64', at, at + PIECE_BYTES);
      this.#write({ type: 'audio_data', data });
    }
    const rest = all.subarray(at);
    this.#waiting = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
  }
}
