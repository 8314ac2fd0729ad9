import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { decodePcm } from '../../../audio/pcm/pcm.ts';
import type { AudioMismatch } from './mismatch.ts';

export interface AudioComparisonOptions {
  /** Recorded audio as it was on the wire, read only as far as audio arrives. */
  readonly recorded: AsyncGenerator<Uint8Array>;
  readonly format: PcmFormat;
  /** Called once, at the first frame that differs. */
  readonly onDifference: () => void;
}

/** The differing frames of the audio. */
export type AudioDifference = Pick<AudioMismatch, 'frame' | 'frames' | 'recordedDb' | 'foundDb'>;

interface Power {
  samples: number;
  /** Sum of the squared samples. */
  energy: number;
}

/** Compares received audio with the recording, frame by frame, and keeps neither. */
export class AudioComparison {
  readonly #options: AudioComparisonOptions;
  readonly #frameBytes: number;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #recorded: Uint8Array = new Uint8Array(0);
  /** Frames that were compared, and the bytes of an incomplete frame. */
  #comparedFrames = 0;
  #rest: Uint8Array = new Uint8Array(0);
  #firstFrame: number | undefined;
  #frames = 0;
  readonly #power = { recorded: { samples: 0, energy: 0 }, found: { samples: 0, energy: 0 } };
  #work: Promise<void> | undefined;
  /** True when the recording has ended, cannot be read, or is no longer needed. */
  #isOver = false;

  constructor(options: AudioComparisonOptions) {
    this.#options = options;
    this.#frameBytes = bytesPerFrame(options.format);
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
    const { recorded, found } = this.#power;
    return {
      frame: this.#firstFrame,
      frames: this.#frames,
      recordedDb: decibels(recorded),
      foundDb: decibels(found),
    };
  }

  push(bytes: Uint8Array): void {
    if (this.#isOver) return;
    this.#waiting.push(bytes);
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
      this.#waitingBytes -= next.length;
      const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, next]) : next;
      const whole = bytes.length - (bytes.length % this.#frameBytes);
      this.#rest = bytes.subarray(whole);
      await this.#compare(bytes.subarray(0, whole));
    }
  }

  async #compare(found: Uint8Array): Promise<void> {
    for (let at = 0; at < found.length; ) {
      if (this.#recorded.length === 0 && !(await this.#readMore())) return;
      const length = Math.min(this.#recorded.length, found.length - at);
      this.#compareBytes(this.#recorded.subarray(0, length), found.subarray(at, at + length));
      this.#recorded = this.#recorded.subarray(length);
      at += length;
    }
  }

  async #readMore(): Promise<boolean> {
    if (this.#isOver) return false;
    const next = await this.#options.recorded.next().catch(() => undefined);
    if (next && !next.done) this.#recorded = next.value;
    else this.#isOver = true;
    return !this.#isOver;
  }

  #compareBytes(recorded: Uint8Array, found: Uint8Array): void {
    if (Buffer.compare(recorded, found) !== 0) this.#compareFrames(recorded, found);
    this.#comparedFrames += found.length / this.#frameBytes;
  }

  /** Compares frames in one loop, because all of them may differ. */
  #compareFrames(recorded: Uint8Array, found: Uint8Array): void {
    const { format, onDifference } = this.#options;
    const [before, now] = [decodePcm(recorded, format), decodePcm(found, format)];
    const { channels } = format;
    const isFirst = this.#firstFrame === undefined;
    for (let frame = 0; frame * this.#frameBytes < found.length; frame++) {
      if (isSame(recorded, found, frame * this.#frameBytes, this.#frameBytes)) continue;
      this.#firstFrame ??= this.#comparedFrames + frame;
      this.#frames++;
      addEnergy(this.#power.recorded, before, frame * channels, channels);
      addEnergy(this.#power.found, now, frame * channels, channels);
    }
    if (isFirst) onDifference();
  }
}

function isSame(one: Uint8Array, other: Uint8Array, from: number, length: number): boolean {
  for (let at = from; at < from + length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function addEnergy(power: Power, samples: Float32Array, from: number, count: number): void {
  for (let at = from; at < from + count; at++) power.energy += samples[at]! ** 2;
  power.samples += count;
}

/** Returns the level as `rmsDb` of `measureLevel` does. */
function decibels({ samples, energy }: Power): number {
  return 10 * Math.log10(samples === 0 ? 0 : energy / samples);
}
