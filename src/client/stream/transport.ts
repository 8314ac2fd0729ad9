import { createTimer, type Timer } from '../../base/wait/timer.ts';
import { accessToken } from '../serviceAccess.ts';
import type { Chunk } from '../spool/replayStore.ts';
import { AudioSender, type AudioSenderOptions } from './audioSender.ts';
import type { StreamEvent } from './liveOperator.ts';
import type { StreamPosition } from './pressure.ts';
import { next, startOfController } from './recovery/controller.ts';
import type {
  ControllerEffect,
  ControllerEvent,
  ControllerState,
  ControllerTimer,
} from './recovery/controllerModel.ts';
import { settledFrame } from './recovery/reportedAudio.ts';
import { Connection, type ConnectionOptions } from './session/connection.ts';
import type { ConnectionEvent } from './session/sessionModel.ts';
import { timeoutsAfter } from './standbySettings.ts';

/** `moved`: some audio was sent, has left the process, or is settled. */
export type TransportEvent = StreamEvent | { readonly type: 'moved' };

export interface TransportOptions extends Omit<AudioSenderOptions, 'onTime'> {
  readonly token: () => Promise<string>;
  readonly onEvent: (event: TransportEvent) => void;
}

type AttemptEffect = Extract<ControllerEffect, { type: 'skip' | 'pad' | 'drain' | 'close' }>;

type OpenTarget = Pick<Extract<ControllerEffect, { type: 'open' }>, 'place' | 'failures' | 'outageFailures'>;
type ServiceOptions = Pick<ConnectionOptions, 'settings' | 'address' | 'token'>;

const MOVED = { type: 'moved' } as const;

/** The connections of one stream: performs the effects of the controller. */
export class Transport implements StreamPosition {
  readonly #options: TransportOptions;
  readonly #sender: AudioSender;
  readonly #attempts = new Map<number, Connection>();
  readonly #timers: Readonly<Record<ControllerTimer, Timer>>;
  #state: ControllerState;
  /** The connection of the current attempt, if there is one. */
  #current: Connection | undefined;
  #hasEnded = false;

  constructor(options: TransportOptions) {
    const { clock, query } = options.settings;
    const time = { sampleRate: options.format.sampleRate, startTs: query.startTs };
    this.#options = options;
    this.#state = startOfController(options.settings, time);
    this.#sender = new AudioSender({ ...options, onTime: () => this.#resume() });
    this.#timers = {
      retry: createTimer(clock),
      rollOver: createTimer(clock),
      idle: createTimer(clock),
      late: createTimer(clock),
    };
  }

  /** Connects. */
  start(): void {
    this.#dispatch({ type: 'start' });
  }

  /** Frame of the source before which everything is final, silence or given up. */
  get settledFrame(): number {
    return settledFrame(this.#state.reported, this.#options.journal.gaps);
  }

  get sentFrame(): number {
    return this.#current?.sentFrame ?? this.#state.current?.startFrame ?? this.settledFrame;
  }

  get waitingFrames(): number {
    return this.#sender.framesFrom(this.sentFrame);
  }

  get unsettledFrames(): number {
    return this.#sender.framesFrom(Math.max(this.settledFrame, this.#state.droppedFrame));
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
    if (this.#current) this.#sender.sendNew(this.#current, chunk);
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
    this.#sender.stop();
    for (const connection of this.#attempts.values()) connection.close();
  }

  #dispatch(event: ControllerEvent): void {
    const { journal, settings, isLive } = this.#options;
    const view = {
      nowMs: settings.clock.now(),
      headFrame: journal.headFrame,
      sentFrame: this.sentFrame,
      gaps: journal.gaps,
      isLive,
      soundFrames: (fromFrame: number, toFrame: number) => journal.soundFrames(fromFrame, toFrame),
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
    this.#sender.stop();
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
        this.#timers[effect.timer].start(effect.delayMs, () =>
          this.#dispatch({ type: 'timeout', timer: effect.timer }),
        );
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
    if (!connection) return; // It may have ended in the middle of a step.
    if (effect.type === 'skip') connection.sentFrame = Math.max(connection.sentFrame, effect.frame);
    else if (effect.type === 'pad') connection.pad(effect.seconds);
    else if (effect.type === 'close') connection.close();
    else {
      connection.isDraining = true;
      this.#sendRest(connection);
    }
  }

  #open({ attempt, originFrame, ...target }: Extract<ControllerEffect, { type: 'open' }>): void {
    const { format } = this.#options;
    const connection = new Connection({
      ...this.#serviceOf(target),
      format,
      originFrame,
      onEvent: event => this.#onConnection(attempt, event),
    });
    this.#attempts.set(attempt, connection);
    if (attempt === this.#state.current?.id) this.#current = connection;
    connection.start();
  }

  #serviceOf({ place, failures, outageFailures }: OpenTarget): ServiceOptions {
    const { settings, token } = this.#options;
    const { standby, addresses } = settings;
    const timeouts = timeoutsAfter(outageFailures, settings);
    if (place === 'first' || !standby) {
      const address = addresses[failures % addresses.length]!;
      return { settings: { ...settings, timeouts }, address, token };
    }
    const { address, query } = standby;
    return { settings: { ...settings, query, timeouts }, address, token: () => accessToken(standby.token) };
  }

  #onConnection(attempt: number, event: ConnectionEvent): void {
    const connection = this.#attempts.get(attempt);
    if (event.type === 'ended') this.#attempts.delete(attempt);
    if (this.#hasEnded) {
      // That it is closed by this side is still reported.
      if (event.type === 'status' && connection === this.#current) this.#options.onEvent(event);
    } else if (event.type !== 'writable') this.#dispatch({ ...event, attempt });
    else if (connection === this.#current) this.#resume();
    else if (connection) this.#sendRest(connection);
  }

  /** Sends what belongs to a connection: only the current one gets further audio. */
  #sendRest(connection: Connection): void {
    if (connection === this.#current) this.#sender.sendWaiting(connection);
    else if (connection.isDraining) connection.endAudio();
  }

  /** Goes on with a backlog that was held back. */
  #resume(): void {
    if (this.#current) this.#sender.sendWaiting(this.#current);
    this.#options.onEvent(MOVED);
  }
}
