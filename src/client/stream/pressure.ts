import { type AudioBlock, bytesPerFrame, framesOf, type PcmFormat } from '../../audio/format/format.ts';
import { type Gate, holdAll } from '../../flow/gate.ts';
import type { StreamSettings } from './settings.ts';
import type { StreamStatus } from './status.ts';

/** Seconds of unsent audio above which the gate is held, and below which it is released. */
export const GATE_SECONDS = { hold: 4, release: 1 } as const;

/**
 * Seconds of a journal that is large enough for a source to wait for what is settled: silence is settled after a minute,
 * words are settled earlier. With a smaller one a recogniser may need more audio before it makes any of it final.
 */
const LARGE_BUFFER_SECONDS = 150;

/** Milliseconds between two `progress` statuses at least. */
const PROGRESS_INTERVAL_MS = 1000;

/** Seconds of audio a second above which a source can evidently wait. */
const LIVE_SPEED = 1.5;

/** The position of a stream in its audio. */
export interface StreamPosition {
  /** Frame before which all audio was sent. */
  readonly sentFrame: number;
  /** Frames that are not sent. */
  readonly waitingFrames: number;
  /** Frames that are kept because they have no text yet. */
  readonly unsettledFrames: number;
  /** Bytes that wait in the socket. */
  readonly bufferedBytes: number;
}

/** Returns the position of a stream whose audio is left to the fallback. */
export function unstreamedPosition(headFrame: number): StreamPosition {
  return { sentFrame: headFrame, waitingFrames: 0, unsettledFrames: 0, bufferedBytes: 0 };
}

/** The pressure back to a source: its pace, the gates, and `progress`. */
export class Pressure {
  readonly #settings: StreamSettings;
  readonly #gate: Gate;
  readonly #onStatus: (status: StreamStatus) => void;
  #release: (() => void) | undefined;
  #arrivedFrames = 0;
  #firstMs = 0;
  #reportedMs: number;
  /** True once the source was ahead of its time: it can wait, unlike one that loses what is not read. */
  #isAhead = false;

  constructor(settings: StreamSettings, gate: Gate, onStatus: (status: StreamStatus) => void) {
    this.#settings = settings;
    this.#gate = gate;
    this.#onStatus = onStatus;
    this.#reportedMs = settings.clock.now();
  }

  /** True when some audio has come. */
  get hasAudio(): boolean {
    return this.#arrivedFrames > 0;
  }

  /** Counts a block that has come from the source. */
  arrived(block: AudioBlock): void {
    if (this.#arrivedFrames === 0) this.#firstMs = this.#settings.clock.now();
    this.#arrivedFrames += framesOf(block);
    if (this.#isAhead || this.#isPaced(block.sampleRate, this.#holdSeconds)) return;
    this.#isAhead = true;
    // The next update holds the other gate as well.
    this.release();
  }

  /** Returns whether the source gives audio at its own time, as far as its pace shows. */
  isLive(sampleRate: number): boolean {
    return this.#isPaced(sampleRate, this.#settings.catchUp.burstSeconds);
  }

  /** Reports progress when it is due, and holds or releases the gates. */
  update(position: StreamPosition, format: PcmFormat): void {
    const nowMs = this.#settings.clock.now();
    if (nowMs - this.#reportedMs >= PROGRESS_INTERVAL_MS) {
      this.#reportedMs = nowMs;
      const { sentFrame, waitingFrames: bufferedFrames } = position;
      const lagSeconds = bufferedFrames / format.sampleRate;
      this.#onStatus({ type: 'progress', sentFrame, bufferedFrames, lagSeconds });
    }
    this.#updateGates(position, format);
  }

  /** Releases the gates. Idempotent. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Seconds of unsent audio above which the source has to wait: a small journal must not overflow before. */
  get #holdSeconds(): number {
    return Math.min(GATE_SECONDS.hold, this.#settings.maxBufferedSeconds / 2);
  }

  #isPaced(sampleRate: number, burstSeconds: number): boolean {
    const elapsedSeconds = (this.#settings.clock.now() - this.#firstMs) / 1000;
    return this.#arrivedFrames / sampleRate <= elapsedSeconds * LIVE_SPEED + burstSeconds;
  }

  #updateGates(position: StreamPosition, format: PcmFormat): void {
    const { maxBufferedSeconds, gate } = this.#settings;
    const { waitingFrames, bufferedBytes, unsettledFrames } = position;
    const holdSeconds = this.#holdSeconds;
    const unsentSeconds = (waitingFrames + bufferedBytes / bytesPerFrame(format)) / format.sampleRate;
    const roomSeconds = maxBufferedSeconds - unsettledFrames / format.sampleRate;
    const isLargeBuffer = maxBufferedSeconds >= LARGE_BUFFER_SECONDS;
    if (unsentSeconds > holdSeconds || (isLargeBuffer && roomSeconds < holdSeconds)) {
      const gates = [...(this.#isAhead ? [this.#gate] : []), ...(gate ? [gate] : [])];
      if (gates.length > 0) this.#release ??= holdAll(gates);
    } else if (unsentSeconds * GATE_SECONDS.hold < holdSeconds * GATE_SECONDS.release) this.release();
  }
}
