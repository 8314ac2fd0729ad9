import { CASSETTE_LIMITS } from '../cassetteLimits.ts';
import type { LineOf } from '../cassetteSchema.ts';

/** Bytes of the longest piece, before base64. */
const PIECE_BYTES = (CASSETTE_LIMITS.audioDataLength / 4) * 3;

/** Writes the bytes of an audio file as lines of a cassette. */
export class InsideSink {
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
