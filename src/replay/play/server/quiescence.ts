import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { heldDuring, type StillClock } from '../../time/virtualClock.ts';
import type { PlayConnection } from './playConnection.ts';

/** Turns of the event loop in which what a client does on its own on this machine becomes known here. */
const TURNS_ALONE = 16;
/** A handshake that does not go on is not waited for. */
const HANDSHAKE_TURNS = 2000;

/** Knows when nothing more happens on the connections of a service unless time or audio goes on. */
export class Stillness {
  readonly #clock: StillClock;
  readonly #live = new Set<Pick<PlayConnection, 'isLive' | 'isWaiting' | 'quietSeconds' | 'settle'>>();
  readonly #handshakes = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  /** Counts what somebody may answer to. */
  #moves = 0;

  constructor(clock: StillClock) {
    this.#clock = clock;
  }

  /** A client has connected, and not said anything yet. */
  arrived(tcp: Socket): void {
    this.moved();
    this.#handshakes.add(tcp);
    tcp.on('close', () => {
      this.moved();
      this.#handshakes.delete(tcp);
    });
  }

  /** It has asked for something. */
  shookHands(tcp: Socket): void {
    this.moved();
    this.#handshakes.delete(tcp);
  }

  joined(connection: PlayConnection): void {
    this.#live.add(connection);
    this.moved();
  }

  left(connection: PlayConnection): void {
    this.#live.delete(connection);
    this.moved();
  }

  /** Something was said that somebody may answer to. */
  moved(): void {
    this.#moves++;
    for (const proceed of [...this.#waiting]) proceed();
  }

  /** Lets clients read and answer what there is. Resolves with whether anything was said meanwhile. */
  async settle(): Promise<boolean> {
    const before = this.#moves;
    const live = [...this.#live].filter(({ isLive }) => isLive);
    for (let turn = 0; turn < (live.length > 0 ? 1 : TURNS_ALONE); turn++) await setImmediate();
    for (let turn = 0; this.#handshakes.size > 0 && turn < HANDSHAKE_TURNS; turn++) await setImmediate();
    await Promise.all(live.map(connection => connection.settle()));
    // What a client answers, it may answer a moment after it has read.
    await setImmediate();
    return this.#moves !== before;
  }

  /** See `CassetteServer`. */
  async settled(): Promise<number | undefined> {
    for (;;) {
      await heldDuring(this.#clock, async () => {
        while (await this.settle());
      });
      const live = [...this.#live].filter(({ isLive }) => isLive);
      if (live.length === 0) return undefined;
      if (!live.some(({ isWaiting }) => isWaiting)) {
        return Math.min(...live.map(({ quietSeconds }) => quietSeconds));
      }
      await this.#nextMove();
    }
  }

  /** See `CassetteServer`. */
  async connected(signal: AbortSignal): Promise<void> {
    while (![...this.#live].some(({ isLive }) => isLive)) {
      signal.throwIfAborted();
      await this.#nextMove(signal);
    }
  }

  #nextMove(signal?: AbortSignal): Promise<void> {
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
