import type { Clock } from '../../../base/clock.ts';
import type { Random } from '../../../base/seeded.ts';
import { createTimer, type Timer } from '../../../base/wait/timer.ts';
import type { PlayFault } from '../faults/faultSchedule.ts';

interface Waiting<Act> {
  readonly act: Act;
  readonly dueMs: number;
}

/** Scheduled actions: in order, each at its time. */
export class Outbox<Act> {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #perform: (act: Act) => void;
  readonly #timer: Timer;
  #waiting: Waiting<Act>[] = [];
  #lastDueMs: number;
  #delay = { ms: 0, jitterMs: 0 };

  constructor(clock: Clock, random: Random, perform: (act: Act) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#perform = perform;
    this.#timer = createTimer(clock);
    this.#lastDueMs = clock.now();
  }

  /** True when nothing is scheduled. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Schedules an action after a delay, but not before earlier ones. */
  push(act: Act, lagMs: number): void {
    const { ms, jitterMs } = this.#delay;
    const delayMs = lagMs + ms + (jitterMs > 0 ? this.#random() * jitterMs : 0);
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + delayMs);
    this.#waiting.push({ act, dueMs: this.#lastDueMs });
    if (this.#waiting.length === 1) this.#run();
  }

  /** Delays later actions, with a random part. */
  delay(ms: number, jitterMs = 0): void {
    this.#delay = { ms, jitterMs };
  }

  /** Pauses all actions. */
  rest(ms: number): void {
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now() + ms);
  }

  /** Leaves a time free after the last action. */
  space(ms: number): void {
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.now()) + ms;
  }

  /** Drops all actions. Idempotent. */
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
      // The action may have closed the outbox.
      if (this.#waiting[0] === next) this.#waiting.shift();
    }
  }
}

/** Faults that drop, duplicate or reorder messages. */
export type OrderFault = Extract<PlayFault, { readonly kind: 'reorder' | 'duplicate' | 'drop' }>;

/**
 * Determines which messages are sent, and in what order. It is independent of time, so that the same seed gives the
 * same order.
 */
export class MessageOrder<Message> {
  readonly #random: Random;
  #drops = 0;
  #copies = 0;
  /** Messages that wait to be shuffled, and the number to collect. */
  #shuffle: { readonly messages: Message[]; readonly count: number } | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  fault(fault: OrderFault): void {
    if (fault.kind === 'reorder') this.#shuffle ??= { messages: [], count: fault.messages };
    else if (fault.kind === 'duplicate') this.#copies++;
    else this.#drops++;
  }

  /** Returns the messages to send for the next message. */
  next(message: Message): readonly Message[] {
    if (this.#drops > 0) {
      this.#drops--;
      return [];
    }
    const copies = new Array<Message>(1 + this.#copies).fill(message);
    this.#copies = 0;
    if (!this.#shuffle) return copies;
    this.#shuffle.messages.push(...copies);
    return this.#shuffle.messages.length >= this.#shuffle.count ? this.rest() : [];
  }

  /** Returns all collected messages, shuffled from the end by the method of Fisher and Yates. */
  rest(): readonly Message[] {
    const messages = this.#shuffle?.messages ?? [];
    this.#shuffle = undefined;
    for (let left = messages.length - 1; left > 0; left--) {
      const at = Math.floor(this.#random() * (left + 1));
      [messages[at], messages[left]] = [messages[left]!, messages[at]!];
    }
    return messages;
  }
}
