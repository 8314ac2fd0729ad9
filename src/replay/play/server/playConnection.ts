import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { CLOSE, closeReason, END_OF_STREAM } from '../../../protocol/closeCodes.ts';
import { isCloseCode } from '../faults/faultSchedule.ts';
import type { ConnectionWatch } from '../match/connectionWatch.ts';
import { describeMismatches } from '../match/mismatch.ts';
import type { WireAudio } from '../match/wireAudio.ts';
import type { Act } from '../script/script.ts';
import { fallSilent, reset } from './rawTcp.ts';
import { ScriptRun, type ScriptRunOptions } from './scriptRun.ts';

export interface PlayConnectionOptions extends Omit<ScriptRunOptions, 'perform'> {
  readonly socket: WebSocket;
  /** The bare connection below. */
  readonly tcp: Socket;
  readonly wire: WireAudio;
  readonly watch: ConnectionWatch;
  /** `close`: with 4002, as soon as the client does otherwise than the recorded one. */
  readonly onMismatch: 'report' | 'close';
  /** Something was said that the client may answer to. */
  readonly onMove: () => void;
  /** Once. */
  readonly onOver: () => void;
}

/** Audio that waits to be compared; what is more stays in the socket. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** One connection of a service that plays a cassette: between the socket, what is played, and what is compared. */
export class PlayConnection {
  readonly #options: PlayConnectionOptions;
  readonly #run: ScriptRun;
  readonly #rounds: PingRounds;
  #hasAudio = false;
  #isOver = false;

  constructor(options: PlayConnectionOptions) {
    this.#options = options;
    this.#rounds = new PingRounds(options.socket);
    this.#run = new ScriptRun({ ...options, perform: act => this.#perform(act) });
  }

  /** To be called once, when the handshake is over. */
  start(): void {
    const { socket } = this.#options;
    socket.on('message', (data: Buffer, isBinary) =>
      isBinary ? this.#audio(data) : this.#text(data.toString()),
    );
    socket.on('close', () => this.#onClose());
    if (this.watch.mismatches.length > 0) this.found();
    this.#run.start();
    // A client that has read a ping and sent no audio before its answer waits for us.
    void this.settle().then(() => !this.#hasAudio && this.#run.connect());
  }

  /** Whether the client can hear and answer. */
  get isLive(): boolean {
    return !this.#isOver && this.#options.socket.readyState === WebSocket.OPEN;
  }

  /** Whether something is to be said later. */
  get isWaiting(): boolean {
    return !this.#isOver && this.#run.isWaiting;
  }

  /** Seconds of audio that may still come before anything is to be said. */
  get quietSeconds(): number {
    // What is found out of audio is found a little later.
    return this.#options.onMismatch === 'close' ? 0 : this.#run.quietSeconds;
  }

  /** Whether a fault broke it. */
  get wasBroken(): boolean {
    return this.#run.wasBroken;
  }

  get watch(): ConnectionWatch {
    return this.#options.watch;
  }

  /** Waits until the client has read all that was said, and what it had sent by then has come. */
  async settle(): Promise<void> {
    if (!this.isLive) return;
    await this.#rounds.round();
    await this.watch.done;
  }

  /** The client does otherwise than the recorded one. */
  found(): void {
    if (this.#options.onMismatch === 'close') this.#refuse(firstLine(this.watch));
  }

  /** At once. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    this.#options.socket.terminate();
    await this.watch.close();
  }

  #audio(bytes: Buffer): void {
    const { socket, wire, watch } = this.#options;
    this.#hasAudio = true;
    if (this.#run.isEnding) return;
    try {
      wire.push(bytes);
    } catch (error) {
      this.#refuse(messageOf(error));
      return;
    }
    watch.audio(bytes);
    if (watch.waitingBytes > MAX_WAITING_BYTES) {
      socket.pause();
      void watch.done.then(() => socket.resume());
    }
    if (wire.sampleRate) this.#run.came(wire.frames / wire.sampleRate);
  }

  #text(text: string): void {
    if (this.#run.isEnding) return;
    this.#options.onMove();
    if (text === END_OF_STREAM) {
      this.watch.end();
      // The last answer is held back until all audio is compared: whoever has it may ask what was found.
      void this.watch.done.then(() => this.#run.end());
    } else if (!this.watch.text(text)) {
      const { code, reason } = CLOSE.unexpectedText;
      this.#perform({ kind: 'close', code, reason });
    }
  }

  /** Says why, and ends. */
  #refuse(why: string): void {
    const { badRequest } = CLOSE;
    this.#perform({ kind: 'close', code: badRequest.code, reason: closeReason(badRequest, why) });
  }

  #perform(act: Act): void {
    const { socket, tcp, onMove } = this.#options;
    if (this.#isOver) return;
    onMove();
    if (act.kind === 'text' || act.kind === 'binary') {
      socket.send(act.kind === 'text' ? act.text : new Uint8Array(0));
      return;
    }
    this.#end();
    if (act.kind === 'half-open') fallSilent(tcp);
    else if (act.kind === 'close' && isCloseCode(act.code)) socket.close(act.code, act.reason);
    // No status was in the close frame (RFC 6455, section 7.4.1).
    else if (act.kind === 'close' && act.code === 1005) socket.close();
    else reset(tcp);
  }

  #end(): void {
    this.#isOver = true;
    this.#run.close();
    this.#rounds.giveUp();
  }

  #onClose(): void {
    this.#end();
    this.watch.over(this.wasBroken);
    void this.watch.done.then(() => this.watch.close());
    this.#options.onMove();
    this.#options.onOver();
  }
}

/** The first line of what was found. */
function firstLine(watch: ConnectionWatch): string {
  return describeMismatches(watch.mismatches.slice(0, 1)).split(/\n\s*/, 2).join(' ');
}

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
