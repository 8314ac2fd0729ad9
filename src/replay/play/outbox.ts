import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/seeded.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import type { Act } from './script.ts';

interface Waiting {
  readonly act: Act;
  readonly dueMs: number;
}

/** What a service is about to do: in order, each in its time. */
export class Outbox {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #perform: (act: Act) => void;
  readonly #timer: Timer;
  #waiting: Waiting[] = [];
  #lastDueMs: number;
  #delay = { ms: 0, jitterMs: 0 };

  constructor(clock: Clock, random: Random, perform: (act: Act) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#perform = perform;
    this.#timer = createTimer(clock);
    this.#lastDueMs = clock.now();
  }

  /** Whether nothing is to be done later. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Does it so long from now, but not before what came before. */
  push(act: Act, lagMs: number): void {
    const { ms, jitterMs } = this.#delay;
    const delayMs = lagMs + ms + (jitterMs > 0 ? this.#random() * jitterMs : 0);
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + delayMs);
    this.#waiting.push({ act, dueMs: this.#lastDueMs });
    if (this.#waiting.length === 1) this.#run();
  }

  /** What is pushed from now on comes so much later, and a random part. */
  delay(ms: number, jitterMs = 0): void {
    this.#delay = { ms, jitterMs };
  }

  /** Nothing is done for so long. */
  rest(ms: number): void {
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + ms);
  }

  /** Nothing more is done. Idempotent. */
  close(): void {
    this.#timer.stop();
    this.#waiting = [];
  }

  #run(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const waitMs = next.dueMs - this.#clock.now();
      if (waitMs > 0) {
        this.#timer.start(waitMs, () => this.#run());
        return;
      }
      this.#perform(next.act);
      // Whoever is told may close.
      if (this.#waiting[0] === next) this.#waiting.shift();
    }
  }
}
