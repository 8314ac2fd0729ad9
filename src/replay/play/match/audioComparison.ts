import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { encodePcm } from '../../../audio/pcm/pcm.ts';
import type { AudioMismatch } from './mismatch.ts';

export interface AudioComparisonOptions {
  /** Recorded audio as it was on the wire, read only as far as audio arrives. */
  readonly recorded: AsyncGenerator<Uint8Array>;
  readonly format: PcmFormat;
}

/** The differing frames of the audio. */
export type AudioDifference = Pick<AudioMismatch, 'frame' | 'frames'>;

/** Compares received audio with the recording, frame by frame, and keeps neither. */
export class AudioComparison {
  readonly #options: AudioComparisonOptions;
  readonly #frameBytes: number;
  readonly #waiting: { readonly bytes: Uint8Array; readonly isAfterPause: boolean }[] = [];
  #waitingBytes = 0;
  #recorded: Uint8Array = new Uint8Array(0);
  /** Frames that were compared, and the bytes of an incomplete frame. */
  #comparedFrames = 0;
  /** Frames of silence that a client added, by the frame of the recording before which it came. */
  readonly silences = new Map<number, number>();
  readonly #silentFrame: Uint8Array;
  /** Frames that came after a pause and may be added silence: silence of the recording has the same samples. */
  #added = { fromFrame: 0, frames: 0 };
  #rest: Uint8Array = new Uint8Array(0);
  #firstFrame: number | undefined;
  #frames = 0;
  #work: Promise<void> | undefined;
  /** True when the recording has ended, cannot be read, or is no longer needed. */
  #isOver = false;

  constructor(options: AudioComparisonOptions) {
    this.#options = options;
    const { format } = options;
    this.#frameBytes = bytesPerFrame(format);
    this.#silentFrame = encodePcm(new Float32Array(format.channels), format.sampleFormat);
  }

  /** Frames that were compared, without added silence. */
  get frames(): number {
    return this.#comparedFrames;
  }

  /** Bytes that are waiting for the comparison. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Resolves when all received audio has been compared. Never rejects. */
  get done(): Promise<void> {
    return this.#work ?? Promise.resolve();
  }

  get difference(): AudioDifference | undefined {
    if (this.#firstFrame === undefined) return undefined;
    return { frame: this.#firstFrame, frames: this.#frames };
  }

  /** @param isAfterPause true for audio before which nothing came for a while, which a client fills with silence */
  push(bytes: Uint8Array, isAfterPause = false): void {
    this.#waiting.push({ bytes, isAfterPause });
    this.#waitingBytes += bytes.length;
    this.#work ??= this.#compareAll().finally(() => {
      this.#work = undefined;
    });
  }

  /** Closes the recording. Idempotent. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    await this.done;
    await this.#options.recorded.return(undefined);
  }

  async #compareAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#waitingBytes -= next.bytes.length;
      const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, next.bytes]) : next.bytes;
      if (next.isAfterPause) {
        if (this.#added.frames === 0) this.#added.fromFrame = this.#comparedFrames;
        this.#added.frames += Math.floor(bytes.length / this.#frameBytes);
      }
      const whole = bytes.length - (bytes.length % this.#frameBytes);
      this.#rest = bytes.subarray(whole);
      await this.#compare(bytes.subarray(0, whole));
    }
  }

  async #compare(found: Uint8Array): Promise<void> {
    for (let at = 0; at < found.length; ) {
      if (this.#recorded.length === 0) await this.#readMore();
      const rest = found.subarray(at);
      const length = Math.min(this.#recorded.length, rest.length);
      if (
        this.#added.frames === 0 &&
        length > 0 &&
        Buffer.compare(this.#recorded.subarray(0, length), rest.subarray(0, length)) === 0
      ) {
        this.#take(length);
        at += length;
      } else at += this.#compareFrames(this.#recorded, rest);
    }
  }

  async #readMore(): Promise<void> {
    if (this.#isOver) return;
    const next = await this.#options.recorded.next().catch(() => undefined);
    if (next && !next.done) this.#recorded = next.value;
    else this.#isOver = true;
  }

  /** Counts bytes that were compared. */
  #take(length: number): void {
    this.#recorded = this.#recorded.subarray(length);
    this.#comparedFrames += length / this.#frameBytes;
  }

  /** Compares frames in one loop, because all of them may differ. Returns the number of bytes compared. */
  #compareFrames(recorded: Uint8Array, found: Uint8Array): number {
    const size = this.#frameBytes;
    const isOver = recorded.length === 0;
    let [was, is] = [0, 0];
    for (; is < found.length && (isOver || was < recorded.length); is += size) {
      const frame = this.#comparedFrames + was / size;
      const isEqual = !isOver && isSame(recorded, was, found, is, size);
      const { fromFrame, frames } = this.#added;
      if (frames > 0 && !isSame(this.#silentFrame, 0, found, is, size)) this.#added.frames = 0;
      else if (frames > 0 && !isEqual) {
        this.#added.frames--;
        this.silences.set(fromFrame, (this.silences.get(fromFrame) ?? 0) + 1);
        continue;
      }
      if (!isEqual && !isOver) {
        this.#firstFrame ??= frame;
        this.#frames++;
      }
      was += size;
    }
    this.#take(was);
    return is;
  }
}

function isSame(one: Uint8Array, from: number, other: Uint8Array, start: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (one[from + at] !== other[start + at]) return false;
  }
  return true;
}
