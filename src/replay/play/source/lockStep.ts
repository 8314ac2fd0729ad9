import { type Clock, delay } from '../../../base/clock.ts';

/** Audio that is given at once while a service has nothing to say, in seconds: less than clients hold back for. */
const MAX_AHEAD_SECONDS = 1;

/** What is left of sums of fractions. */
const TOLERANCE_SECONDS = 1e-6;

/** A service that says when it has answered everything it was sent. */
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

/** Lets audio go on when a service has answered what came before. */
export class LockStep {
  readonly #server: AnsweringServer;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Seconds of audio that need no waiting. */
  #aheadSeconds = 0;
  #lastSeconds = 0;

  constructor(server: AnsweringServer, clock: Clock, signal: AbortSignal) {
    this.#server = server;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Waits until the next block, of so many seconds, may go. Rejects with the signal's reason. */
  async next(seconds: number): Promise<void> {
    // Before the first block there is nothing to answer.
    if (this.#lastSeconds > 0 && this.#aheadSeconds < TOLERANCE_SECONDS) {
      const quietSeconds = await this.#server.settled();
      if (quietSeconds === undefined) await this.#timeOrConnection();
      this.#aheadSeconds = Math.min(MAX_AHEAD_SECONDS, quietSeconds ?? 0);
    }
    this.#aheadSeconds -= seconds;
    this.#lastSeconds = seconds;
  }

  /** While nobody is there to answer, time decides: as much as the last block lasts. */
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
