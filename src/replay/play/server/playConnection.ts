import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { CLOSE, closeReason, END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import { isCloseCode } from '../faults/faultSchedule.ts';
import type { ConnectionWatch } from '../match/connectionWatch.ts';
import type { WireAudio } from '../match/wireAudio.ts';
import type { Act } from '../script/script.ts';
import { fallSilent, reset } from './faultServer.ts';
import { ScriptRun, type ScriptRunOptions } from './scriptRun.ts';

export interface PlayConnectionOptions extends Omit<ScriptRunOptions, 'perform'> {
  readonly socket: WebSocket;
  /** TCP connection below the socket. */
  readonly tcp: Socket;
  readonly wire: WireAudio;
  readonly watch: ConnectionWatch;
  /** Called for each action that the client may respond to. */
  readonly onActivity: () => void;
  /** Called once, when the connection has ended. */
  readonly onOver: () => void;
}

/** Maximum size of the audio that waits for the comparison, in bytes; the rest stays in the socket. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Milliseconds without audio after which a client may send silence of its own. */
const PAUSE_MS = 1000;

/** One connection of the playing service: connects the socket, the script and the comparison. */
export class PlayConnection {
  readonly #options: PlayConnectionOptions;
  readonly #run: ScriptRun;
  readonly #pings: PingRounds;
  #hasAudio = false;
  /** Time of the latest audio. */
  #audioMs: number;
  #isOver = false;

  constructor(options: PlayConnectionOptions) {
    this.#options = options;
    this.#audioMs = options.clock.now();
    this.#pings = new PingRounds(options.socket);
    this.#run = new ScriptRun({ ...options, perform: act => this.#perform(act) });
  }

  /** Starts the connection; to be called once, after the handshake. */
  start(): void {
    const { socket } = this.#options;
    socket.on('message', (data: Buffer, isBinary) =>
      isBinary ? this.#audio(data) : this.#text(data.toString()),
    );
    socket.on('close', () => this.#onClose());
    this.#run.start();
    // A client that answered a ping without having sent audio is waiting for the service.
    void this.settle().then(() => !this.#hasAudio && this.#run.connect());
  }

  /** True while the client can receive and answer. */
  get isLive(): boolean {
    return !this.#isOver && this.#options.socket.readyState === WebSocket.OPEN;
  }

  /** True while a message is scheduled. */
  get isWaiting(): boolean {
    return !this.#isOver && this.#run.isWaiting;
  }

  /** Seconds of audio that may still arrive before the service has something to send. */
  get quietSeconds(): number {
    return this.#run.quietSeconds;
  }

  /** True when a fault broke the connection. */
  get wasBroken(): boolean {
    return this.#run.wasBroken;
  }

  /** True when everything recorded has been performed. */
  get isThrough(): boolean {
    return this.#run.isThrough;
  }

  get watch(): ConnectionWatch {
    return this.#options.watch;
  }

  /** Resolves when the client has read everything that was sent, and its data sent by then has arrived. */
  async settle(): Promise<void> {
    if (!this.isLive) return;
    await this.#pings.round();
    await this.watch.done;
  }

  /** Closes the connection immediately. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    this.#options.socket.terminate();
    await this.watch.close();
  }

  #audio(bytes: Buffer): void {
    const { socket, wire, watch, clock } = this.#options;
    this.#hasAudio = true;
    if (this.#run.isEnding) return;
    try {
      wire.push(bytes);
    } catch (error) {
      const { badRequest } = CLOSE;
      const reason = closeReason(badRequest, messageOf(error));
      this.#perform({ kind: 'close', code: badRequest.code, reason });
      return;
    }
    const nowMs = clock.now();
    watch.audio(bytes, nowMs - this.#audioMs >= PAUSE_MS);
    this.#audioMs = nowMs;
    if (watch.waitingBytes > MAX_WAITING_BYTES) {
      socket.pause();
      void watch.done.then(() => socket.resume());
    }
    // The comparison finds silence that is not in the recording.
    void watch.done.then(() => this.#run.came(watch.seconds));
  }

  #text(text: string): void {
    if (this.#run.isEnding) return;
    this.#options.onActivity();
    if (text === END_OF_STREAM) {
      // The last answer waits until all audio has been compared, because its receiver may check the result.
      void this.watch.done.then(() => {
        this.watch.end();
        this.#run.end();
      });
    } else if (!this.watch.text(text)) {
      const { code, reason } = CLOSE.unexpectedText;
      this.#perform({ kind: 'close', code, reason });
    }
  }

  #perform(act: Act): void {
    const { socket, tcp, onActivity } = this.#options;
    if (this.#isOver) return;
    onActivity();
    if (act.kind === 'text' || act.kind === 'binary') {
      socket.send(act.kind === 'text' ? this.watch.inWire(act.text) : new Uint8Array(0));
      return;
    }
    this.#end();
    if (act.kind === 'half-open') fallSilent(tcp);
    else if (act.kind === 'close' && isCloseCode(act.code)) socket.close(act.code, act.reason);
    // The recorded close frame had no status (RFC 6455, section 7.4.1).
    else if (act.kind === 'close' && act.code === 1005) socket.close();
    else reset(tcp);
  }

  #end(): void {
    this.#isOver = true;
    this.#run.close();
    this.#pings.giveUp();
  }

  #onClose(): void {
    this.#end();
    void this.watch.done.then(() => {
      this.watch.over(this.wasBroken);
      return this.watch.close();
    });
    this.#options.onActivity();
    this.#options.onOver();
  }
}

/** Milliseconds of real time to wait for the answer to a ping. */
const PONG_TIMEOUT_MS = 10_000;

/**
 * Sends pings whose answers show that the other side has read everything sent before, and that its earlier data has
 * arrived.
 */
class PingRounds {
  readonly #socket: WebSocket;
  readonly #open = new Map<string, () => void>();
  #next = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('pong', data => this.#open.get(data.toString())?.());
  }

  /** Resolves with the answer, or when none can be expected any more. */
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

  /** Ends all rounds, because no answer can be expected. */
  giveUp(): void {
    for (const resolve of this.#open.values()) resolve();
  }
}
