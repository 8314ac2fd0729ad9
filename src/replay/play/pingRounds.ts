import type { WebSocket } from 'ws';
import { systemClock } from '../../base/clock.ts';

/** How long a client may take to answer, in real time, before nobody waits for it any more. */
const PONG_TIMEOUT_MS = 10_000;

/** Pings whose answers say that the other side has read all that was sent before, and that what it had sent has come. */
export class PingRounds {
  readonly #socket: WebSocket;
  readonly #open = new Map<string, () => void>();
  #next = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('pong', data => this.#open.get(data.toString())?.());
  }

  /** Settles with the answer, or when none is to be expected any more. */
  async round(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = String(this.#next++);
    this.#open.set(name, resolve);
    const cancel = systemClock.schedule(PONG_TIMEOUT_MS, resolve);
    this.#socket.ping(name);
    await promise;
    cancel();
    this.#open.delete(name);
  }

  /** No answer is to be expected. */
  giveUp(): void {
    for (const resolve of this.#open.values()) resolve();
  }
}
