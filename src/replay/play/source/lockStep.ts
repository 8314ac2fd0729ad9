import { type Clock, delay } from '../../../base/clock.ts';

/**
 * Maximum seconds of audio to emit at once while the service has nothing to send: less than the audio that clients may
 * have unanswered.
 */
const MAX_AHEAD_SECONDS = 1;

/** Tolerance for rounding errors of sums. */
const TOLERANCE_SECONDS = 1e-6;

/** A service that reports when it has answered everything it was sent. */
export interface AnsweringServer {
  /**
   * Resolves when everything that clients have sent has been read and answered, and the answers have been read. The value
   * is the number of seconds of audio that may still arrive before the service has something to send; undefined when no
   * connection answers, because then nothing is known about what clients have sent.
   */
  settled(): Promise<number | undefined>;
  /** Resolves when a connection is open. Rejects with the signal's reason. */
  connected(signal: AbortSignal): Promise<void>;
}

/** Releases each block when a service has answered everything before it. */
export class LockStep {
  readonly #server: AnsweringServer;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Seconds of audio that may go without waiting. */
  #aheadSeconds = 0;
  #lastSeconds = 0;

  constructor(server: AnsweringServer, clock: Clock, signal: AbortSignal) {
    this.#server = server;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Resolves when the next block, of the given length in seconds, may go. Rejects with the signal's reason. */
  async next(seconds: number): Promise<void> {
    // Nothing needs an answer before the first block.
    if (this.#lastSeconds > 0 && this.#aheadSeconds < TOLERANCE_SECONDS) {
      const quietSeconds = await this.#server.settled();
      if (quietSeconds === undefined) await this.#timeOrConnection();
      this.#aheadSeconds = Math.min(MAX_AHEAD_SECONDS, quietSeconds ?? 0);
    }
    this.#aheadSeconds -= seconds;
    this.#lastSeconds = seconds;
  }

  /** Waits, while no client is connected, for a connection or for the length of the last block. */
  async #timeOrConnection(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#signal, over.signal]);
    try {
      const lasted = delay(this.#lastSeconds * 1000, { clock: this.#clock, signal });
      await Promise.race([lasted, this.#server.connected(signal)]);
    } finally {
      over.abort();
    }
  }
}
