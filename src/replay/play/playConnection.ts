import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Random } from '../../base/seeded.ts';
import { CLOSE, closeReason, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { fallSilent, reset } from './brokenTcp.ts';
import { ConnectionFaults, isBreak, isCloseCode } from './connectionFaults.ts';
import type { ConnectionWatch } from './connectionWatch.ts';
import type { PlannedPlayFault, PlayFault } from './faultSchedule.ts';
import { MessageOrder } from './messageOrder.ts';
import { describeMismatches } from './mismatch.ts';
import { Outbox } from './outbox.ts';
import { PingRounds } from './pingRounds.ts';
import type { Act, Cue, Script } from './script.ts';
import type { WireAudio } from './wireAudio.ts';

export interface PlayConnectionOptions {
  readonly socket: WebSocket;
  /** The bare connection below. */
  readonly tcp: Socket;
  readonly script: Script;
  readonly wire: WireAudio;
  readonly watch: ConnectionWatch;
  readonly faults: readonly PlannedPlayFault[];
  readonly random: Random;
  readonly latency: 'none' | 'recorded';
  readonly clock: Clock;
  /** `close`: with 4002, as soon as the client does otherwise than the recorded one. */
  readonly onMismatch: 'report' | 'close';
  /** Something was said that the client may answer to. */
  readonly onMove: () => void;
  /** Once. */
  readonly onOver: () => void;
}

/** A client that waits for `connected` before it sends audio gets it after so long, where the recorded one did not wait. */
const CONNECTED_WITHIN_MS = 1000;

/** Audio that waits to be compared; what is more stays in the socket. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Frames of audio are counted in whole ones, times in fractions. */
const TOLERANCE_SECONDS = 1e-6;

/** At the end of the stream, words that begin so long after it are words of audio that did not come. */
const BEHIND_END_SECONDS = 0.05;

/** One connection of a service that plays a cassette: answers to the audio that comes. */
export class PlayConnection {
  readonly #options: PlayConnectionOptions;
  readonly #order: MessageOrder<Act>;
  readonly #outbox: Outbox;
  readonly #faults: ConnectionFaults;
  readonly #rounds: PingRounds;
  #nextCue = 0;
  /** Seconds of audio up to which all is done. */
  #seconds = 0;
  #messages = 0;
  #hasEnd = false;
  #mayConnect: boolean;
  #cancelConnect = () => {};
  /** The last that is to be done waits for its time, or is done. */
  #isEnding = false;
  /** Nothing more is done. */
  #isOver = false;
  #wasBroken = false;

  constructor(options: PlayConnectionOptions) {
    const { socket, clock, random, faults, latency } = options;
    this.#options = options;
    this.#rounds = new PingRounds(socket);
    this.#faults = new ConnectionFaults(
      faults.filter(({ kind }) => kind !== 'refuse' && kind !== 'http-status'),
    );
    this.#order = new MessageOrder(random);
    this.#outbox = new Outbox(clock, random, act => this.#perform(act));
    this.#mayConnect = latency === 'recorded';
  }

  /** To be called once, when the handshake is over. */
  start(): void {
    const { socket, clock, watch } = this.#options;
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary) =>
      isBinary ? this.#audio(data) : this.#text(data.toString()),
    );
    socket.on('close', () => this.#onClose());
    this.#fire();
    if (watch.mismatches.length > 0) this.found();
    this.#advance();
    if (this.#nextCue > 0 || this.#mayConnect || this.#isEnding) return;
    const connect = () => {
      this.#mayConnect = true;
      this.#advance();
    };
    this.#cancelConnect = clock.schedule(CONNECTED_WITHIN_MS, connect);
    void this.settle().then(() => this.#seconds === 0 && connect());
  }

  /** Whether the client can hear and answer. */
  get isLive(): boolean {
    return !this.#isOver && this.#options.socket.readyState === WebSocket.OPEN;
  }

  /** Whether something is to be said later. */
  get isWaiting(): boolean {
    return !this.#isOver && !this.#outbox.isEmpty;
  }

  /** Seconds of audio that may still come before anything is to be said. */
  get quietSeconds(): number {
    // What is found out of audio is found a little later.
    if (this.#options.onMismatch === 'close') return 0;
    const cue = this.#options.script.cues[this.#nextCue];
    const cueSeconds = cue ? this.#dueSeconds(cue) : Number.POSITIVE_INFINITY;
    return Math.min(cueSeconds, this.#faults.nextSeconds(this.#seconds)) - this.#seconds;
  }

  /** Whether a fault broke it. */
  get wasBroken(): boolean {
    return this.#wasBroken;
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

  /** The client does otherwise than it should: says so, and ends. */
  refuse(why: string): void {
    const { badRequest } = CLOSE;
    this.#perform({ kind: 'close', code: badRequest.code, reason: closeReason(badRequest, why) });
  }

  /** The client does otherwise than the recorded one. */
  found(): void {
    if (this.#options.onMismatch === 'close') this.refuse(firstLine(this.watch));
  }

  /** At once. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    this.#options.socket.terminate();
    await this.watch.close();
  }

  #audio(bytes: Buffer): void {
    const { socket, wire, watch } = this.#options;
    if (this.#isEnding) return;
    try {
      wire.push(bytes);
    } catch (error) {
      this.refuse(messageOf(error));
      return;
    }
    watch.audio(bytes);
    if (watch.waitingBytes > MAX_WAITING_BYTES) {
      socket.pause();
      void watch.done.then(() => socket.resume());
    }
    this.#advance();
  }

  #text(text: string): void {
    if (this.#isEnding) return;
    this.#options.onMove();
    if (text === END_OF_STREAM) {
      this.#hasEnd = true;
      this.watch.end();
      this.#advance();
    } else if (!this.watch.text(text) && !this.#isEnding) {
      const { code, reason } = CLOSE.unexpectedText;
      this.#perform({ kind: 'close', code, reason });
    }
  }

  /** Does all that is due, cues before faults. */
  #advance(): void {
    const { sampleRate, frames } = this.#options.wire;
    const seconds = sampleRate ? frames / sampleRate : 0;
    while (!this.#isEnding) {
      const cue = this.#options.script.cues[this.#nextCue];
      const cueSeconds = cue ? this.#dueSeconds(cue) : Number.POSITIVE_INFINITY;
      const next = Math.min(cueSeconds, this.#faults.nextSeconds(this.#seconds));
      if (next > seconds + TOLERANCE_SECONDS) break;
      this.#seconds = Math.max(this.#seconds, next);
      if (cue && cueSeconds <= next) this.#cue(cue, seconds);
      this.#fire();
    }
    this.#seconds = Math.max(this.#seconds, seconds);
    this.#fire();
  }

  /** After so much audio. */
  #dueSeconds({ kind, frames, afterEnd }: Cue): number {
    if (this.#hasEnd || (kind === 'connected' && this.#mayConnect)) return this.#seconds;
    return afterEnd ? Number.POSITIVE_INFINITY : frames / this.#options.script.sampleRate;
  }

  #cue(cue: Cue, seconds: number): void {
    const { script, latency } = this.#options;
    this.#nextCue++;
    if (cue.kind === 'connected') this.#cancelConnect();
    const fromSeconds = (cue.fromFrame ?? 0) / script.sampleRate;
    if (this.#hasEnd && fromSeconds >= seconds + BEHIND_END_SECONDS) return;
    this.#say(cue.act, latency === 'recorded' ? cue.lagMs : 0);
  }

  /** In its place among the messages, whatever time they take: so the same audio is always answered alike. */
  #say(act: Act, lagMs: number): void {
    const isMessage = act.kind === 'text' || act.kind === 'binary';
    const messages = isMessage ? this.#order.next(act) : this.#order.rest();
    for (const message of messages) {
      if (this.#isEnding) return;
      this.#messages++;
      this.#outbox.push(message, lagMs);
      this.#fire();
    }
    if (isMessage || this.#isEnding) return;
    this.#isEnding = true;
    this.#outbox.push(act, lagMs);
  }

  #fire(): void {
    if (this.#isEnding) return;
    for (const fault of this.#faults.due(this.#seconds + TOLERANCE_SECONDS, this.#messages)) {
      this.#happen(fault);
      if (this.#isEnding) return;
    }
  }

  #happen(fault: PlayFault): void {
    if (isBreak(fault)) this.#wasBroken = true;
    switch (fault.kind) {
      case 'cut':
      case 'half-open':
        this.#say(fault, 0);
        break;
      case 'close':
        this.#say({ ...fault, reason: fault.reason ?? '' }, 0);
        break;
      case 'delay':
        this.#outbox.delay(fault.ms, fault.jitterMs);
        break;
      case 'slow-start':
        this.#outbox.rest(fault.ms);
        break;
      case 'reorder':
      case 'duplicate':
      case 'drop':
        this.#order.fault(fault);
        break;
    }
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
    this.#isEnding = true;
    this.#isOver = true;
    this.#cancelConnect();
    this.#outbox.close();
    this.#rounds.giveUp();
  }

  #onClose(): void {
    this.#end();
    this.watch.over(this.#wasBroken);
    this.#options.onMove();
    this.#options.onOver();
  }
}

/** The first line of what was found. */
function firstLine(watch: ConnectionWatch): string {
  return describeMismatches(watch.mismatches.slice(0, 1)).split(/\n\s*/, 2).join(' ');
}
