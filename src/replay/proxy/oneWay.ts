/** One direction of a connection: bytes pass in order, each at its time, and no faster than they are read. */
import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/seeded.ts';
import { Outbox } from '../play/server/outbox.ts';

/** Bytes that may wait for their time; more stay with their sender. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Parts per second in which a throttled direction passes. */
const PARTS_PER_SECOND = 10;

export interface OneWayOptions {
  readonly from: Socket;
  readonly to: Socket;
  readonly clock: Clock;
  readonly random: Random;
}

export class OneWay {
  /** What waits for its time. */
  readonly outbox: Outbox<() => void>;
  bytesPerSecond = Number.POSITIVE_INFINITY;
  readonly #from: Socket;
  readonly #to: Socket;
  #waitingBytes = 0;

  constructor({ from, to, clock, random }: OneWayOptions) {
    this.#from = from;
    this.#to = to;
    this.outbox = new Outbox(clock, random, act => act());
    to.on('drain', () => this.#flow());
  }

  pass(bytes: Buffer): void {
    const step = Math.ceil(this.bytesPerSecond / PARTS_PER_SECOND);
    for (let at = 0; at < bytes.length; at += step) {
      const part = bytes.subarray(at, at + step);
      this.#waitingBytes += part.length;
      this.do(() => this.#write(part));
      this.outbox.space((part.length / this.bytesPerSecond) * 1000);
    }
    this.#flow();
  }

  /** Does something after the bytes so far. */
  do(act: () => void): void {
    this.outbox.push(act, 0);
  }

  #write(bytes: Buffer): void {
    this.#waitingBytes -= bytes.length;
    if (this.#to.writable) this.#to.write(bytes);
    this.#flow();
  }

  #flow(): void {
    const isFull = this.#waitingBytes > MAX_WAITING_BYTES || this.#to.writableNeedDrain;
    if (isFull) this.#from.pause();
    else this.#from.resume();
  }
}
