import { bytesPerFrame, type PcmFormat } from '../../audio/format/format.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import type { Chunk } from '../spool/replayStore.ts';
import { MAX_CHUNK_BYTES } from './audioBlocks.ts';
import type { Journal } from './journal/journal.ts';
import type { StreamEvent } from './liveOperator.ts';
import type { StreamPosition } from './pressure.ts';
import { Pacer } from './recovery/catchUp.ts';
import { next, startOfController } from './recovery/controller.ts';
import type {
  ControllerEffect,
  ControllerEvent,
  ControllerState,
  ControllerTimer,
} from './recovery/controllerModel.ts';
import { settledFrame } from './recovery/heard.ts';
import { Connection } from './session/connection.ts';
import type { ConnectionEvent } from './session/sessionModel.ts';
import type { StreamSettings } from './settings.ts';

/** `moved`: some audio was sent, has left the process, or is settled. */
export type TransportEvent = StreamEvent | { readonly type: 'moved' };

export interface TransportOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly journal: Journal;
  readonly token: () => Promise<string>;
  /** Returns whether the source gives audio at its own time. */
  readonly isLive: () => boolean;
  readonly onEvent: (event: TransportEvent) => void;
}

type AttemptEffect = Extract<ControllerEffect, { type: 'skip' | 'pad' | 'drain' | 'close' }>;

const MOVED = { type: 'moved' } as const;

/** The connections of one stream: performs the effects of the controller. */
export class Transport implements StreamPosition {
  readonly #options: TransportOptions;
  readonly #pacer: Pacer;
  readonly #maxFrames: number;
  readonly #attempts = new Map<number, Connection>();
  readonly #timers: Readonly<Record<ControllerTimer, Timer>>;
  #state: ControllerState;
  /** The connection of the current attempt, if there is one. */
  #current: Connection | undefined;
  #hasEnded = false;

  constructor(options: TransportOptions) {
    const { settings, format, isLive } = options;
    const { clock, catchUp, query } = settings;
    const { sampleRate } = format;
    this.#options = options;
    this.#state = startOfController(settings, { sampleRate, startTs: query.startTs });
    this.#maxFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
    this.#pacer = new Pacer({ ...catchUp, sampleRate, clock, isLive, onTime: () => this.#resume() });
    this.#timers = { retry: createTimer(clock), rollOver: createTimer(clock), idle: createTimer(clock) };
  }

  /** Connects. */
  start(): void {
    this.#dispatch({ type: 'start' });
  }

  /** Frame of the source before which everything is final, silence or given up. */
  get settledFrame(): number {
    return settledFrame(this.#state.heard, this.#options.journal.gaps);
  }

  get sentFrame(): number {
    return this.#current?.sentFrame ?? this.#state.current?.startFrame ?? this.settledFrame;
  }

  get waitingFrames(): number {
    return this.#framesFrom(this.sentFrame);
  }

  get unsettledFrames(): number {
    return this.#framesFrom(Math.max(this.settledFrame, this.#state.droppedFrame));
  }

  get bufferedBytes(): number {
    return this.#current?.bufferedBytes ?? 0;
  }

  /** True when a service was ever ready. */
  get wasConnected(): boolean {
    return this.#state.wasConnected;
  }

  /** Sends the audio that was just added to the journal, and audio that waits before it. */
  send(chunk: Chunk | undefined): void {
    if (this.#hasEnded) return;
    const current = this.#current;
    // With nothing before it, a chunk goes out as it is; else everything comes from the journal.
    if (chunk && current?.sentFrame === chunk.startFrame && this.#takes(chunk)) {
      current.send(chunk);
    } else if (current) this.#sendAll();
    else this.#dispatch({ type: 'audio' });
    this.#options.onEvent(MOVED);
  }

  /** Ends the audio: no more comes into the journal. */
  finish(): void {
    this.#dispatch({ type: 'finish' });
  }

  /** Gives up the audio before a frame. */
  drop(beforeFrame: number): void {
    this.#dispatch({ type: 'drop', beforeFrame });
  }

  /** Closes everything at once, without any event. Idempotent. */
  close(): void {
    this.#hasEnded = true;
    for (const timer of Object.values(this.#timers)) timer.stop();
    this.#pacer.stop();
    for (const connection of this.#attempts.values()) connection.close();
  }

  #framesFrom(frame: number): number {
    const { gaps, headFrame } = this.#options.journal;
    return gaps.audioFrames(frame, headFrame);
  }

  #takes({ frames, bytes }: Chunk): boolean {
    return bytes.length <= this.#current!.roomBytes && this.#pacer.passes(frames);
  }

  #dispatch(event: ControllerEvent): void {
    const { journal, settings } = this.#options;
    const view = {
      nowMs: settings.clock.now(),
      headFrame: journal.headFrame,
      sentFrame: this.sentFrame,
      gaps: journal.gaps,
    };
    const { state, effects } = next(this.#state, event, view);
    const before = this.#state.current?.id;
    this.#state = state;
    if (state.current?.id !== before) this.#switch();
    for (const effect of effects) {
      // A subscriber may close everything in the middle of a step.
      if (this.#hasEnded) return;
      this.#perform(effect);
    }
  }

  /** Another attempt is the current one: it sends audio again that the one before did not settle. */
  #switch(): void {
    const { current } = this.#state;
    this.#pacer.stop();
    this.#current = current && this.#attempts.get(current.id);
    if (this.#current) this.#current.sentFrame = current!.startFrame;
  }

  #perform(effect: ControllerEffect): void {
    const { journal, onEvent } = this.#options;
    switch (effect.type) {
      case 'open':
        this.#open(effect);
        break;
      case 'skip':
      case 'pad':
      case 'drain':
      case 'close':
        this.#performOn(this.#attempts.get(effect.attempt), effect);
        break;
      case 'startTimer':
        this.#startTimer(effect.timer, effect.delayMs);
        break;
      case 'stopTimer':
        this.#timers[effect.timer].stop();
        break;
      case 'dropped':
        journal.addHole(effect.range, 'dropped');
        break;
      case 'settled':
        journal.settle(effect.frame);
        onEvent(MOVED);
        break;
      case 'send':
        this.#resume();
        break;
      case 'end':
        this.close();
        onEvent(effect);
        break;
      default:
        onEvent(effect);
    }
  }

  #performOn(connection: Connection | undefined, effect: AttemptEffect): void {
    // Its end may have come in the middle of a step.
    if (!connection) return;
    if (effect.type === 'skip') connection.sentFrame = Math.max(connection.sentFrame, effect.frame);
    else if (effect.type === 'pad') connection.pad(effect.seconds);
    else if (effect.type === 'close') connection.close();
    else {
      connection.isDraining = true;
      this.#sendOn(connection);
    }
  }

  #open({ attempt, originFrame, failures }: Extract<ControllerEffect, { type: 'open' }>): void {
    const { settings, format, token } = this.#options;
    const connection = new Connection({
      settings,
      format,
      address: settings.addresses[failures % settings.addresses.length]!,
      originFrame,
      token,
      onEvent: event => this.#onConnection(attempt, event),
    });
    this.#attempts.set(attempt, connection);
    if (attempt === this.#state.current?.id) this.#current = connection;
    connection.start();
  }

  #onConnection(attempt: number, event: ConnectionEvent): void {
    const connection = this.#attempts.get(attempt);
    if (event.type === 'ended') this.#attempts.delete(attempt);
    if (this.#hasEnded) {
      // That it is closed by this side is still reported.
      if (event.type === 'status' && connection === this.#current) this.#options.onEvent(event);
    } else if (event.type !== 'writable') this.#dispatch({ ...event, attempt });
    else if (connection === this.#current) this.#resume();
    else if (connection) this.#sendOn(connection);
  }

  #startTimer(timer: ControllerTimer, delayMs: number): void {
    this.#timers[timer].start(delayMs, () => this.#dispatch({ type: 'timeout', timer }));
  }

  /** Goes on with a backlog that was held back. */
  #resume(): void {
    this.#sendAll();
    this.#options.onEvent(MOVED);
  }

  #sendAll(): void {
    if (this.#current) this.#sendOn(this.#current);
  }

  /** Sends waiting audio as far as it can go out now, and ends it when that was all. */
  #sendOn(connection: Connection): void {
    const { journal, format } = this.#options;
    const isCurrent = connection === this.#current;
    while (isCurrent && connection.roomBytes > 0) {
      const roomFrames = Math.max(1, Math.floor(connection.roomBytes / bytesPerFrame(format)));
      const waiting = this.#framesFrom(connection.sentFrame);
      const frames = this.#pacer.allow(waiting, Math.min(roomFrames, this.#maxFrames));
      const chunk = frames > 0 ? journal.read(connection.sentFrame, frames) : undefined;
      if (!chunk) break;
      connection.send(chunk);
    }
    const isSent = !isCurrent || connection.sentFrame >= journal.headFrame;
    if (connection.isDraining && isSent) connection.endAudio();
  }
}
