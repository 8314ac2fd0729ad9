/** One WebSocket connection through a proxy: messages pass as they are and in order, with the faults of the connection. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { systemClock } from '../../base/clock.ts';
import type { Random } from '../../base/seeded.ts';
import type { ConnectionFaults } from '../play/faults/connectionFaults.ts';
import { isCloseCode, type PlayFault } from '../play/faults/faultSchedule.ts';
import { fallSilent, reset } from '../play/server/faultServer.ts';
import { Outbox } from '../play/server/outbox.ts';
import type { SessionRecording } from './sessionRecording.ts';

export interface ProxyConnectionOptions {
  readonly client: WebSocket;
  /** TCP connection below the client. */
  readonly tcp: Socket;
  readonly service: WebSocket;
  readonly faults: ConnectionFaults;
  readonly random: Random;
  /** Bytes of a second of audio; undefined for compressed audio, whose seconds are those of the connection. */
  readonly bytesPerSecond: number | undefined;
  readonly recording: SessionRecording | undefined;
}

export class ProxyConnection {
  readonly #options: ProxyConnectionOptions;
  readonly #up: OneWay;
  readonly #down: OneWay;
  readonly #openedMs = systemClock.now();
  #audioBytes = 0;
  #messages = 0;
  #isOver = false;

  /** Starts to pass messages. */
  constructor(options: ProxyConnectionOptions) {
    const { client, service, random } = options;
    this.#options = options;
    this.#up = new OneWay(client, service, random);
    this.#down = new OneWay(service, client, random);
    this.#relay(this.#up, client, service);
    this.#relay(this.#down, service, client);
    // The socket has been paused since its handshake.
    this.#down.flow();
    this.#fire();
  }

  /** Breaks the connection to both sides. Idempotent. */
  async close(): Promise<void> {
    this.#break();
    await this.#options.recording?.end();
  }

  #relay(way: OneWay, from: WebSocket, to: WebSocket): void {
    const { client, recording } = this.#options;
    const pass = (bytes: number, act: () => void) => this.#isOver || way.pass(bytes, act);
    from.on('message', (data: Buffer, isBinary) => {
      if (this.#isOver) return;
      way.pass(data.length, () => to.send(data, { binary: isBinary }, () => way.flow()));
      if (from === client) {
        if (isBinary) this.#audioBytes += data.length;
        recording?.up(data, isBinary);
      } else {
        this.#messages++;
        recording?.down(data, isBinary);
      }
      this.#fire();
    });
    from.on('ping', data => pass(0, () => to.ping(data)));
    from.on('pong', data => pass(0, () => to.pong(data)));
    from.on('close', (code, reason) => {
      const hasClosed = code === 1005 || isCloseCode(code);
      const by = hasClosed ? (from === client ? 'client' : 'service') : 'network';
      // The answer of the other side follows.
      if (!this.#isOver) void recording?.end({ by, code, reason: reason.toString() });
      pass(0, () => (hasClosed ? to.close(code === 1005 ? undefined : code, reason) : this.#break()));
    });
  }

  /** Seconds of audio from the client. */
  get #seconds(): number {
    const { bytesPerSecond } = this.#options;
    return bytesPerSecond ? this.#audioBytes / bytesPerSecond : (systemClock.now() - this.#openedMs) / 1000;
  }

  #fire(): void {
    for (const fault of this.#options.faults.due(this.#seconds, this.#messages)) this.#apply(fault);
  }

  #apply(fault: PlayFault): void {
    const { outbox } = this.#down;
    if (fault.kind === 'delay') outbox.delay(fault.ms, fault.jitterMs);
    else if (fault.kind === 'slow-start') outbox.rest(fault.ms);
    else if (fault.kind === 'stall' || fault.kind === 'throttle') {
      const way = fault.direction === 'up' ? this.#up : this.#down;
      if (fault.kind === 'stall') way.outbox.rest(fault.ms ?? Number.POSITIVE_INFINITY);
      else way.bytesPerSecond = fault.bytesPerSecond;
    } else this.#down.pass(0, () => this.#break(fault));
  }

  /** Ends the connection in place of the service: what still arrives from it is discarded. */
  #break(fault?: PlayFault): void {
    const { client, service, tcp, recording } = this.#options;
    this.#isOver = true;
    this.#up.outbox.close();
    this.#down.outbox.close();
    client.resume();
    void recording?.end();
    if (fault?.kind === 'close') client.close(fault.code, fault.reason);
    else if (fault?.kind === 'half-open') fallSilent(tcp);
    else reset(tcp);
    // Without a close frame, the service itself notices the lost connection.
    if (fault?.kind === 'half-open') service.resume();
    else service.terminate();
  }
}

/** Bytes that may wait in one direction; more stay with their sender. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** One direction: messages pass in order, each at its time, and no faster than they are read. */
class OneWay {
  /** Acts that wait for their time. */
  readonly outbox: Outbox<() => void>;
  bytesPerSecond = Number.POSITIVE_INFINITY;
  readonly #from: WebSocket;
  readonly #to: WebSocket;
  #waitingBytes = 0;

  constructor(from: WebSocket, to: WebSocket, random: Random) {
    this.#from = from;
    this.#to = to;
    this.outbox = new Outbox(systemClock, random, act => act());
  }

  pass(bytes: number, act: () => void): void {
    this.#waitingBytes += bytes;
    this.outbox.space((bytes / this.bytesPerSecond) * 1000);
    this.outbox.push(() => {
      this.#waitingBytes -= bytes;
      act();
      this.flow();
    }, 0);
    this.flow();
  }

  /** Pauses the sender while too much waits. */
  flow(): void {
    if (this.#waitingBytes + this.#to.bufferedAmount > MAX_WAITING_BYTES) this.#from.pause();
    else this.#from.resume();
  }
}
