import type { AudioSink } from './audioRecorder.ts';
import type { AudioDataLine } from './cassette.ts';
import { CASSETTE_LIMITS } from './cassetteLimits.ts';

/** Bytes whose base64 is as long as a piece may be. */
const PIECE_BYTES = (CASSETTE_LIMITS.audioDataLength / 4) * 3;

/** Makes lines of the bytes of an audio file. */
export class InsideSink implements AudioSink {
  readonly #write: (line: AudioDataLine) => void;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(write: (line: AudioDataLine) => void) {
    this.#write = write;
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE_BYTES) this.#cut(PIECE_BYTES);
  }

  /** Writes what waits. */
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
