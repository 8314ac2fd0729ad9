import type { PcmFormat } from '../../../audio/format/format.ts';
import type * as events from '../../../transcript/model/events.ts';
import type { ReplayStore } from '../../spool/replayStore.ts';
import type { StreamSettings } from '../options.ts';
import type { ConnectionHandlers } from '../session/connection.ts';
import type { StreamStatus } from '../status.ts';
import { HeardAudio } from './heardAudio.ts';
import { IdleWatch } from './idleWatch.ts';
import { Leg } from './leg.ts';
import { Outgoing } from './outgoing.ts';
import { Retries } from './retries.ts';
import { RollOver } from './rollOver.ts';
import type { SourceGaps } from './sourceGaps.ts';

export interface LinkHandlers {
  event(event: events.LiveEvent): void;
  status(status: StreamStatus): void;
  /** What lies before a frame is needed no more. */
  settled(frame: number): void;
  /** A connection broke: what was sent behind a frame has to be sent again, if it is still there. */
  broken(settledFrame: number): void;
  /** Some audio was sent, or has left the process, or is settled. */
  moved(): void;
  /** Called once; all is closed by then. */
  end(failure?: { readonly error: unknown }): void;
}

export interface LinkOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly store: Pick<ReplayStore, 'headFrame' | 'read'>;
  readonly gaps: SourceGaps;
  readonly token: () => Promise<string>;
  /** Whether the source gives audio at its own time. */
  readonly isLive: () => boolean;
  readonly handlers: LinkHandlers;
}

/** Silence for a connection that waits to take over. */
const STANDBY_PAD_SECONDS = 0.1;

/** One transcript over any number of connections: after a break, the next begins where the words of the last ended. */
export class Link {
  readonly #options: LinkOptions;
  readonly #outgoing: Outgoing;
  readonly #retries: Retries;
  readonly #rollOver: RollOver;
  readonly #idleWatch: IdleWatch;
  readonly #legs = new Set<Leg>();
  readonly #heard: HeardAudio;
  /** The one that gets the audio; none during an outage, or while the source is paused. */
  #current: Leg | undefined;
  #isFinishing = false;
  #hasEnded = false;

  constructor(options: LinkOptions) {
    const { settings, format, store, gaps, isLive } = options;
    const { clock, sessionSeconds, catchUp } = settings;
    const { sampleRate } = format;
    this.#options = options;
    this.#heard = new HeardAudio({ sampleRate, startTs: settings.query.startTs }, gaps);
    this.#retries = new Retries(settings.resume, clock);
    const pace = { ...catchUp, clock, isLive, onTime: () => this.flush() };
    this.#outgoing = new Outgoing({ ...pace, format, store, gaps });
    this.#rollOver = new RollOver({
      ...{ sessionSeconds, clock },
      open: () => this.#newLeg(),
      keepAlive: leg => leg.pad(STANDBY_PAD_SECONDS),
      onTime: () => this.#takeOver(),
    });
    this.#idleWatch = new IdleWatch({
      clock,
      sentFrame: () => (this.waitingFrames > 0 || this.#isFinishing ? undefined : this.#current?.sentFrame),
      onIdle: seconds => this.#onIdle(seconds),
    });
  }

  /** Connects. */
  start(): void {
    this.#idleWatch.start();
    this.#open();
  }

  /** All before is final, silence, or given up. */
  get settledFrame(): number {
    return this.#heard.settledFrame;
  }

  /** All before was sent on the connection that there is. */
  get sentFrame(): number {
    return this.#current?.sentFrame ?? this.settledFrame;
  }

  /** Frames of the store that are not sent. */
  get waitingFrames(): number {
    return this.#outgoing.framesFrom(this.sentFrame);
  }

  /** Whether a service was ever ready. */
  get wasConnected(): boolean {
    return this.#retries.wasConnected;
  }

  /** Bytes that wait in the socket. */
  get bufferedBytes(): number {
    return this.#current?.connection.bufferedBytes ?? 0;
  }

  /** Sends what is in the store, as far as it can go out now. */
  flush(): void {
    if (this.#hasEnded) return;
    if (this.#current) this.#current.connection.flush();
    // The source was paused, and goes on.
    else if (!this.#retries.isWaiting && this.waitingFrames > 0) this.#open();
    this.#options.handlers.moved();
  }

  /** No more audio will come into the store. */
  finish(): void {
    this.#isFinishing = true;
    if (this.#current) this.#current.connection.finish();
    else if (!this.#retries.isWaiting) this.#openOrEnd();
  }

  /** What lies before a frame is given up. */
  skipTo(frame: number): void {
    if (this.#current) this.#current.sentFrame = Math.max(this.#current.sentFrame, frame);
    else this.#heard.giveUpTo(frame);
  }

  /** Ends all at once, without a word to the handlers. Idempotent. */
  close(): void {
    this.#hasEnded = true;
    for (const part of [this.#idleWatch, this.#retries, this.#outgoing]) part.stop();
    this.#rollOver.take();
    for (const leg of this.#legs) leg.connection.close();
  }

  #open(): void {
    if (this.#hasEnded || this.#current) return;
    const leg = this.#newLeg();
    this.#current = leg;
    this.#rollOver.start();
    leg.connection.start();
    if (this.#isFinishing && leg === this.#current) leg.connection.finish();
  }

  #openOrEnd(): void {
    // What came of an earlier connection may be all; without one, nobody has said that the query is right.
    if (this.waitingFrames === 0 && this.#retries.wasConnected && this.#isFinishing) this.#end();
    else this.#open();
  }

  #newLeg(): Leg {
    const { settings, format, store, token } = this.#options;
    const { addresses } = settings;
    const leg: Leg = new Leg({
      ...{ settings, format, token },
      address: addresses[this.#retries.failures % addresses.length]!,
      originFrame: this.settledFrame,
      next: (...asked) => (leg === this.#current ? this.#outgoing.next(...asked) : undefined),
      isLast: frame => leg !== this.#current || frame >= store.headFrame,
      handlers: this.#handlers(() => leg),
    });
    this.#legs.add(leg);
    return leg;
  }

  /** Only the connection that gets the audio is heard; what another one hears is heard again. */
  #handlers(legOf: () => Leg): ConnectionHandlers {
    const { handlers } = this.#options;
    const isCurrent = () => legOf() === this.#current;
    return {
      event: event => this.#onEvent(legOf(), event),
      status: status => isCurrent() && handlers.status(status),
      read: frame => isCurrent() && this.#onRead(legOf(), frame),
      drained: () => isCurrent() && handlers.moved(),
      end: failure => this.#onEnd(legOf(), failure),
    };
  }

  #onEvent(leg: Leg, event: events.TranscriptEvent): void {
    if (event.type === 'connected') this.#rollOver.connected(leg, event);
    if (leg !== this.#current) return;
    if (event.type === 'connected') this.#onConnected(leg, event);
    else if (event.type === 'final') this.#onFinal(leg, event);
    else {
      this.#heard.partial(event, leg.sentFrame);
      this.#options.handlers.event(event);
    }
  }

  #onConnected(leg: Leg, event: events.ConnectedEvent): void {
    leg.hearsFrom(this.settledFrame);
    this.#retries.connected();
    this.#options.handlers.event(event);
  }

  #onFinal(leg: Leg, final: events.FinalEvent): void {
    const before = this.settledFrame;
    const events = this.#heard.final(final, { sentFrame: leg.sentFrame, isFirst: !leg.hasFinal });
    leg.hasFinal = true;
    // A service that only says again what it said before is of no more use than one that is away.
    if (this.settledFrame > before) {
      this.#retries.progressed();
      leg.hearsFrom(this.settledFrame);
    }
    this.#tell(events);
    this.#rollOver.pause();
  }

  #onRead(leg: Leg, readFrame: number): void {
    const read = leg.readTo(readFrame);
    if (!read) return;
    const before = this.settledFrame;
    const events = this.#heard.read(read);
    if (this.settledFrame > before || this.#idleWatch.isIdle) this.#retries.progressed();
    this.#tell(events);
  }

  #tell(events: readonly events.LiveEvent[]): void {
    const { handlers } = this.#options;
    if (events.length === 0) return;
    for (const event of events) handlers.event(event);
    handlers.settled(this.settledFrame);
    handlers.moved();
  }

  #onIdle(padSeconds: number): void {
    if (!this.#current) return;
    if (this.#options.settings.idle === 'close') this.#current.connection.finish();
    else this.#current.pad(padSeconds);
  }

  /** Whether there was a second connection to do it. */
  #takeOver(): boolean {
    const { handlers } = this.#options;
    const leg = this.#rollOver.take();
    if (!leg) return false;
    const old = this.#current;
    this.#leave(leg);
    leg.sentFrame = this.settledFrame;
    this.#rollOver.start();
    // It has nothing more to send: what it still does is to end its job.
    old?.connection.finish();
    handlers.broken(this.settledFrame);
    if (leg.connected) {
      handlers.status({ type: 'connected', id: leg.connected.id });
      this.#onConnected(leg, leg.connected);
    }
    this.flush();
    if (this.#isFinishing) leg.connection.finish();
    return true;
  }

  #onEnd(leg: Leg, failure?: { readonly error: unknown }): void {
    this.#legs.delete(leg);
    this.#rollOver.ended(leg);
    if (leg !== this.#current || this.#hasEnded) return;
    if (failure) this.#onBreak(failure.error);
    else this.#onRest(leg);
  }

  /** All is said of what was sent: of all audio, or of that before a pause. */
  #onRest(leg: Leg): void {
    this.#current = undefined;
    this.#retries.progressed();
    this.#rollOver.take()?.connection.close();
    this.#tell(this.#heard.allBefore(leg.sentFrame));
    if (this.#isFinishing) this.#openOrEnd();
    else this.flush();
  }

  #onBreak(error: unknown): void {
    const { handlers } = this.#options;
    if (this.#takeOver()) return;
    this.#leave();
    // First what is to come, then who is told: they may end all, or give more audio.
    const delayMs = this.#retries.failed(error, () => this.#openOrEnd());
    handlers.broken(this.settledFrame);
    if (delayMs === undefined) this.#end({ error });
    else if (!this.#hasEnded) {
      handlers.status({ type: 'reconnecting', attempt: this.#retries.failures, delayMs, error });
    }
  }

  /** What the connection did not bring to an end is to be sent again, on the next one. */
  #leave(next?: Leg): void {
    this.#current = next;
    this.#outgoing.stop();
    this.#heard.broken();
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.close();
    this.#options.handlers.end(failure);
  }
}
