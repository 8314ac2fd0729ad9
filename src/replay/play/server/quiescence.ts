import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type HoldableClock, withHold } from '../../time/virtualClock.ts';
import type { PlayConnection } from './playConnection.ts';

/** Turns of the event loop within which independent actions of a client on this machine are noticed here. */
const TURNS_ALONE = 16;
/** Turns of the event loop to wait for a handshake. */
const HANDSHAKE_TURNS = 2000;

/** Detects when nothing more happens on the connections of a service unless time or audio advances. */
export class Quiescence {
  readonly #clock: HoldableClock;
  readonly #live = new Set<Pick<PlayConnection, 'isLive' | 'isWaiting' | 'quietSeconds' | 'settle'>>();
  readonly #handshakes = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  /** Number of actions that a client may respond to. */
  #activity = 0;

  constructor(clock: HoldableClock) {
    this.#clock = clock;
  }

  /** Called when a client has connected, before its request. */
  arrived(tcp: Socket): void {
    this.noteActivity();
    this.#handshakes.add(tcp);
    tcp.on('close', () => {
      this.noteActivity();
      this.#handshakes.delete(tcp);
    });
  }

  /** Called when the request has arrived. */
  requested(tcp: Socket): void {
    this.noteActivity();
    this.#handshakes.delete(tcp);
  }

  joined(connection: PlayConnection): void {
    this.#live.add(connection);
    this.noteActivity();
  }

  left(connection: PlayConnection): void {
    this.#live.delete(connection);
    this.noteActivity();
  }

  /** Called for each action that a client may respond to. */
  noteActivity(): void {
    this.#activity++;
    for (const proceed of [...this.#waiting]) proceed();
  }

  /** Lets clients read and answer. Resolves with true when there was any activity meanwhile. */
  async settle(): Promise<boolean> {
    const before = this.#activity;
    const live = [...this.#live].filter(({ isLive }) => isLive);
    for (let turn = 0; turn < (live.length > 0 ? 1 : TURNS_ALONE); turn++) await setImmediate();
    for (let turn = 0; this.#handshakes.size > 0 && turn < HANDSHAKE_TURNS; turn++) await setImmediate();
    await Promise.all(live.map(connection => connection.settle()));
    // A client may answer slightly after it has read.
    await setImmediate();
    return this.#activity !== before;
  }

  /** Implements `AnsweringServer`. */
  async settled(): Promise<number | undefined> {
    for (;;) {
      await withHold(this.#clock, async () => {
        while (await this.settle());
      });
      const live = [...this.#live].filter(({ isLive }) => isLive);
      if (live.length === 0) return undefined;
      if (!live.some(({ isWaiting }) => isWaiting)) {
        return Math.min(...live.map(({ quietSeconds }) => quietSeconds));
      }
      await this.#nextActivity();
    }
  }

  /** Implements `AnsweringServer`. */
  async connected(signal: AbortSignal): Promise<void> {
    while (![...this.#live].some(({ isLive }) => isLive)) {
      signal.throwIfAborted();
      await this.#nextActivity(signal);
    }
  }

  #nextActivity(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const proceed = () => resolve();
    this.#waiting.add(proceed);
    signal?.addEventListener('abort', proceed, { once: true });
    return promise.finally(() => {
      this.#waiting.delete(proceed);
      signal?.removeEventListener('abort', proceed);
    });
  }
}
