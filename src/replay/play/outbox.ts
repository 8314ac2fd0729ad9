import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/seeded.ts';
import { createTimer, type Timer } from '../../base/timer.ts';
import type { PlayFault } from './faultSchedule.ts';
import type { Act } from './script.ts';

interface Waiting {
  readonly act: Act;
  readonly dueMs: number;
}

/** Faults that change what messages come, and when. */
export type MessageFault = Extract<
  PlayFault,
  { readonly kind: 'delay' | 'reorder' | 'duplicate' | 'drop' | 'slow-start' }
>;

/** What a service is about to do: in order, each in its time, unless a fault has it otherwise. */
export class Outbox {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #perform: (act: Act) => void;
  readonly #timer: Timer;
  #waiting: Waiting[] = [];
  #lastDueMs = 0;
  #delay = { ms: 0, jitterMs: 0 };
  #drops = 0;
  #copies = 0;
  /** Messages that are to be shuffled, and of how many they are the first. */
  #shuffle: { readonly acts: Act[]; readonly count: number } | undefined;

  constructor(clock: Clock, random: Random, perform: (act: Act) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#perform = perform;
    this.#timer = createTimer(clock);
    this.#lastDueMs = clock.now();
  }

  /** Whether something is to be done later. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(act: Act, lagMs: number): void {
    const { ms, jitterMs } = this.#delay;
    const delayMs = lagMs + ms + (jitterMs > 0 ? this.#random() * jitterMs : 0);
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + delayMs);
    this.#waiting.push({ act, dueMs: this.#lastDueMs });
    if (this.#waiting.length === 1) this.#run();
  }

  fault(fault: MessageFault): void {
    switch (fault.kind) {
      case 'delay':
        this.#delay = { ms: fault.ms, jitterMs: fault.jitterMs ?? 0 };
        break;
      case 'slow-start':
        this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + fault.ms);
        break;
      case 'reorder':
        this.#shuffle ??= { acts: [], count: fault.messages };
        break;
      case 'duplicate':
        this.#copies++;
        break;
      case 'drop':
        this.#drops++;
        break;
    }
  }

  /** Nothing more is done. Idempotent. */
  close(): void {
    this.#timer.stop();
    this.#waiting = [];
    this.#shuffle = undefined;
  }

  #run(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const waitMs = next.dueMs - this.#clock.now();
      if (waitMs > 0) {
        this.#timer.start(waitMs, () => this.#run());
        return;
      }
      this.#take(next.act);
      // Whoever is told may close.
      if (this.#waiting[0] === next) this.#waiting.shift();
    }
  }

  #take(act: Act): void {
    if (act.kind !== 'text' && act.kind !== 'binary') {
      this.#flushShuffled();
      this.#perform(act);
    } else if (this.#drops > 0) this.#drops--;
    else {
      const copies = this.#copies;
      this.#copies = 0;
      for (let i = 0; i <= copies; i++) this.#say(act);
    }
  }

  #say(act: Act): void {
    if (!this.#shuffle) {
      this.#perform(act);
      return;
    }
    this.#shuffle.acts.push(act);
    if (this.#shuffle.acts.length >= this.#shuffle.count) this.#flushShuffled();
  }

  /** Fisher and Yates, from the end. */
  #flushShuffled(): void {
    const acts = this.#shuffle?.acts ?? [];
    this.#shuffle = undefined;
    for (let left = acts.length; left > 0; left--) {
      const at = Math.floor(this.#random() * left);
      const act = acts[at]!;
      acts[at] = acts[left - 1]!;
      this.#perform(act);
    }
  }
}
