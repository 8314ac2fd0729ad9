import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, delay } from '../../src/base/clock.ts';
import type { Fault, PlannedFault, Rejection } from './faultPlan.ts';

const HEAD_END = '\r\n\r\n';

/** A unit that passes as a whole: the answer to a handshake, a WebSocket frame, or a chunk of any other protocol. */
interface DownFrame {
  readonly bytes: Buffer;
  /** True when a message of text or bytes ends with it. */
  readonly endsMessage: boolean;
}

/** Cuts what a service says into frames. */
class DownFrames {
  #mode: 'start' | 'frames' | 'raw' = 'start';
  #rest = Buffer.alloc(0);

  /** The frames that are whole with these bytes. */
  *push(chunk: Buffer): Generator<DownFrame> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let length = this.#nextLength(); length !== undefined; length = this.#nextLength()) {
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const endsMessage = this.#mode === 'frames' && endsMessageOf(bytes);
      if (this.#mode === 'start') this.#mode = bytes.includes(HEAD_END) ? 'frames' : 'raw';
      yield { bytes, endsMessage };
    }
  }

  #nextLength(): number | undefined {
    const { length } = this.#rest;
    if (length === 0) return undefined;
    if (this.#mode === 'frames') return frameLength(this.#rest);
    if (this.#mode === 'raw' || !this.#rest.toString('latin1', 0, 5).startsWith('HTTP/')) return length;
    const end = this.#rest.indexOf(HEAD_END);
    return end < 0 ? undefined : end + HEAD_END.length;
  }
}

/** The length of the first frame, unless it is not whole. Frames of a service are not masked (RFC 6455, section 5.2). */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return undefined;
  const payload =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < head + payload ? undefined : head + payload;
}

/** Returns whether a frame is the last of a message, and no control frame. */
function endsMessageOf(frame: Buffer): boolean {
  return (frame[0]! & 0x80) !== 0 && (frame[0]! & 0x08) === 0;
}

/** The close frame of a service. */
function closeFrame(code: number, reason = ''): Buffer {
  const text = Buffer.from(reason);
  return Buffer.from([0x88, 2 + text.length, code >> 8, code & 0xff, ...text]);
}

type Direction = 'up' | 'down';

const COUNTS = ['bytesUp', 'bytesDown', 'messagesDown'] as const;

/** Turns a client away. */
export function reject(client: Socket, rejection: Rejection): void {
  if (rejection.kind === 'refuse') {
    client.resetAndDestroy();
    return;
  }
  const status = `${rejection.status} ${STATUS_CODES[rejection.status] ?? ''}`;
  client.once('data', () =>
    client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
  );
}

export interface FaultConnectionOptions {
  readonly client: Socket;
  readonly service: Socket;
  readonly faults: readonly PlannedFault[];
  readonly clock: Clock;
}

/** One connection through a proxy, with what happens to it. */
export class FaultConnection {
  readonly #sockets: Readonly<Record<Direction, Socket>>;
  readonly #clock: Clock;
  readonly #passed = { bytesUp: 0, bytesDown: 0, messagesDown: 0 };
  readonly #swallows = { up: false, down: false };
  #waiting: readonly PlannedFault[];
  readonly #stalledUntilMs = { up: 0, down: 0 };
  #delayMs = 0;
  #msPerByte = 0;
  #truncates = false;
  /** The handshake is over. */
  #isOpen = false;
  /** False while a part of a frame towards the client waits. */
  #isBetweenFrames = true;

  constructor({ client, service, faults, clock }: FaultConnectionOptions) {
    // Each direction is named after the socket that it is written to.
    this.#sockets = { up: service, down: client };
    this.#waiting = faults;
    this.#clock = clock;
  }

  start(): void {
    this.#fire();
    void this.#pump('up');
    void this.#pump('down');
  }

  async #pump(to: Direction): Promise<void> {
    const target = this.#sockets[to];
    const frames = new DownFrames();
    try {
      for await (const chunk of this.#sockets[to === 'up' ? 'down' : 'up'].iterator({
        destroyOnReturn: false,
      })) {
        const waitMs = this.#delayMs + chunk.length * this.#msPerByte;
        if (waitMs > 0) await delay(waitMs, { clock: this.#clock });
        if (to === 'up') await this.#pass('up', chunk);
        else
          for (const { bytes, endsMessage } of frames.push(chunk)) await this.#passDown(bytes, endsMessage);
        // What the target cannot take yet, the other side is not asked for.
        if (target.writableNeedDrain) await new Promise(resolve => target.write('', resolve));
      }
      if (!this.#swallows[to]) target.end();
    } catch {
      // Reset by one side: the other one hears of it, unless nothing passes.
      if (!this.#swallows[to]) target.resetAndDestroy();
    }
  }

  async #passDown(bytes: Buffer, endsMessage: boolean): Promise<void> {
    if (this.#truncates && endsMessage) {
      this.#write('down', bytes.subarray(0, bytes.length >> 1));
      this.#reset();
      return;
    }
    await this.#pass('down', bytes);
    this.#isOpen = true;
    if (endsMessage) this.#passed.messagesDown++;
    this.#fire();
  }

  /** Passes bytes, with the faults that happen among them. */
  async #pass(to: Direction, bytes: Buffer): Promise<void> {
    const count = to === 'up' ? 'bytesUp' : 'bytesDown';
    for (let at = 0; at < bytes.length; ) {
      const stops = this.#waiting.map(({ after }) => (after?.[count] ?? Infinity) - this.#passed[count]);
      const length = Math.min(bytes.length - at, Math.max(1, Math.min(...stops)));
      const stallMs = this.#stalledUntilMs[to] - this.#clock.now();
      if (stallMs > 0) await delay(stallMs, { clock: this.#clock });
      this.#write(to, bytes.subarray(at, at + length));
      this.#passed[count] += length;
      at += length;
      if (to === 'down') this.#isBetweenFrames = at === bytes.length;
      this.#fire();
    }
  }

  #write(to: Direction, bytes: Buffer): void {
    const socket = this.#sockets[to];
    if (!this.#swallows[to] && socket.writable) socket.write(bytes);
  }

  /** Lets all happen whose moment has come. A close frame inside another frame would be none. */
  #fire(): void {
    const isDue = ({ kind, after = {} }: PlannedFault) =>
      (kind !== 'closeCode' || (this.#isBetweenFrames && this.#isOpen)) &&
      COUNTS.every(count => this.#passed[count] >= (after[count] ?? 0));
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter(fault => !isDue(fault));
    for (const fault of due) this.#happen(fault);
  }

  #happen(fault: Fault): void {
    switch (fault.kind) {
      case 'cut':
        this.#reset();
        break;
      case 'end':
        this.#sockets.up.end();
        this.#sockets.down.end();
        this.#swallow('up', 'down');
        break;
      case 'halfOpen':
        this.#swallow('up', 'down');
        break;
      case 'swallowUp':
        this.#swallow('up');
        break;
      case 'swallowDown':
        this.#swallow('down');
        break;
      case 'delay':
        this.#delayMs = fault.ms;
        break;
      case 'throttle':
        this.#msPerByte = 1000 / fault.bytesPerSecond;
        break;
      case 'stallUp':
      case 'stallDown':
        this.#stalledUntilMs[fault.kind === 'stallUp' ? 'up' : 'down'] = this.#clock.now() + fault.ms;
        break;
      case 'closeCode':
        this.#write('down', closeFrame(fault.code, fault.reason));
        this.#sockets.down.end();
        this.#sockets.up.resetAndDestroy();
        this.#swallow('up', 'down');
        break;
      case 'truncate':
        this.#truncates = true;
        break;
    }
  }

  #swallow(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#swallows[direction] = true;
  }

  #reset(): void {
    this.#swallow('up', 'down');
    this.#sockets.up.resetAndDestroy();
    this.#sockets.down.resetAndDestroy();
  }
}
