import { bytesPerFrame, type PcmFormat } from '../../../audio/format.ts';
import type {
  ConnectedEvent,
  FinalEvent,
  LiveEvent,
  SilenceEvent,
  TranscriptEvent,
} from '../../../transcript/events.ts';
import type { Chunk } from '../../spool/chunk.ts';
import type { ReplayStore } from '../../spool/replayStore.ts';
import { MAX_CHUNK_BYTES } from '../blockGuard.ts';
import type { StreamSettings } from '../options.ts';
import type { ConnectionHandlers } from '../session/connection.ts';
import { silence } from '../session/encoder.ts';
import type { StreamStatus } from '../status.ts';
import { HeardAudio } from './heardAudio.ts';
import { IdleWatch } from './idleWatch.ts';
import { Leg } from './leg.ts';
import { Pacer } from './pacer.ts';
import { Retries } from './retries.ts';
import { RollOver } from './rollOver.ts';

export interface LinkHandlers {
  event(event: LiveEvent): void;
  status(status: StreamStatus): void;
  /** What lies before a frame is needed no more. */
  settled(frame: number): void;
  /** A connection broke: what was sent behind a frame has to be sent again, if it is still there. */
  broken(settledFrame: number): void;
  /** Some of what was sent has left the process. */
  drained(): void;
  /** Called once; all is closed by then. */
  end(failure?: { readonly error: unknown }): void;
}

export interface LinkOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly store: Pick<ReplayStore, 'headFrame' | 'read'>;
  readonly token: () => Promise<string>;
  /** Whether the source gives audio at its own time. */
  readonly isLive: () => boolean;
  readonly handlers: LinkHandlers;
}

/** One transcript over any number of connections: after a break, the next begins where the words of the last ended. */
export class Link {
  readonly #options: LinkOptions;
  readonly #maxChunkFrames: number;
  readonly #pacer: Pacer;
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
    const { settings, format, isLive } = options;
    const { clock, sessionSeconds, catchUp } = settings;
    const { sampleRate } = format;
    this.#options = options;
    this.#maxChunkFrames = Math.floor(MAX_CHUNK_BYTES / bytesPerFrame(format));
    this.#heard = new HeardAudio({ sampleRate, startTs: settings.query.startTs });
    this.#retries = new Retries(settings.resume, clock);
    this.#pacer = new Pacer({ ...catchUp, sampleRate, clock, isLive, onTime: () => this.flush() });
    this.#rollOver = new RollOver({
      ...{ sessionSeconds, clock },
      open: () => this.#newLeg(),
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
    return Math.max(0, this.#options.store.headFrame - this.sentFrame);
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
    for (const part of [this.#idleWatch, this.#retries, this.#pacer]) part.stop();
    this.#rollOver.take();
    for (const leg of this.#legs) leg.connection.close();
  }

  #open(): void {
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
      next: frame => (leg === this.#current ? this.#nextChunk(frame) : undefined),
      isLast: frame => leg !== this.#current || frame >= store.headFrame,
      handlers: this.#handlers(() => leg),
    });
    this.#legs.add(leg);
    return leg;
  }

  #nextChunk(frame: number): Chunk | undefined {
    const { store } = this.#options;
    const allowed = this.#pacer.allow(store.headFrame - frame, this.#maxChunkFrames);
    return allowed > 0 ? store.read(frame, allowed) : undefined;
  }

  /** Only the connection that gets the audio is heard; what another one hears is heard again. */
  #handlers(legOf: () => Leg): ConnectionHandlers {
    const { handlers } = this.#options;
    const isCurrent = () => legOf() === this.#current;
    return {
      event: event => this.#onEvent(legOf(), event),
      status: status => isCurrent() && handlers.status(status),
      read: frame => isCurrent() && this.#onRead(legOf(), frame),
      drained: () => isCurrent() && handlers.drained(),
      end: failure => this.#onEnd(legOf(), failure),
    };
  }

  #onEvent(leg: Leg, event: TranscriptEvent): void {
    if (event.type === 'connected') this.#rollOver.connected(leg, event);
    if (leg !== this.#current) return;
    if (event.type === 'connected') this.#onConnected(leg, event);
    else if (event.type === 'final') this.#onFinal(leg, event);
    else {
      this.#heard.partial(event, leg.sentFrame);
      this.#options.handlers.event(event);
    }
  }

  #onConnected(leg: Leg, event: ConnectedEvent): void {
    leg.hearsFrom(this.settledFrame);
    this.#retries.connected();
    this.#options.handlers.event(event);
  }

  #onFinal(leg: Leg, final: FinalEvent): void {
    const { handlers } = this.#options;
    const before = this.settledFrame;
    const kept = this.#heard.final(final, { sentFrame: leg.sentFrame, isFirst: !leg.hasFinal });
    leg.hasFinal = true;
    // A service that only says again what it said before is of no more use than one that is away.
    if (this.settledFrame > before) {
      this.#retries.progressed();
      leg.hearsFrom(this.settledFrame);
    }
    if (kept) handlers.event(kept);
    handlers.settled(this.settledFrame);
    this.#rollOver.pause();
  }

  #onRead(leg: Leg, readFrame: number): void {
    const read = leg.readTo(readFrame);
    this.#retries.alive();
    if (read) this.#tellSilence(this.#heard.read(read));
  }

  #tellSilence(silence: SilenceEvent | undefined): void {
    if (!silence) return;
    this.#options.handlers.event(silence);
    this.#options.handlers.settled(this.settledFrame);
  }

  #onIdle(padSeconds: number): void {
    const { settings, format } = this.#options;
    if (settings.idle === 'close') this.#current?.connection.finish();
    else this.#current?.connection.pad(silence(format, Math.round(padSeconds * format.sampleRate)));
  }

  /** Whether there was a second connection to do it. */
  #takeOver(): boolean {
    const leg = this.#rollOver.take();
    if (!leg) return false;
    const old = this.#current;
    this.#leaveCurrent();
    this.#current = leg;
    leg.sentFrame = this.settledFrame;
    this.#rollOver.start();
    // It has nothing more to send: what it still does is to end its job.
    old?.connection.finish();
    if (leg.connected) {
      this.#options.handlers.status({ type: 'connected', id: leg.connected.id });
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
    this.#rollOver.take()?.connection.close();
    this.#tellSilence(this.#heard.allBefore(leg.sentFrame));
    if (this.#isFinishing) this.#openOrEnd();
    else this.flush();
  }

  #onBreak(error: unknown): void {
    const { handlers } = this.#options;
    if (this.#takeOver()) return;
    this.#leaveCurrent();
    const delayMs = this.#retries.failed(error, () => this.#openOrEnd());
    if (delayMs === undefined) this.#end({ error });
    else handlers.status({ type: 'reconnecting', attempt: this.#retries.failures, delayMs, error });
  }

  /** What it did not bring to an end is to be sent again. */
  #leaveCurrent(): void {
    this.#current = undefined;
    this.#pacer.stop();
    this.#heard.broken();
    this.#options.handlers.broken(this.settledFrame);
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.close();
    this.#options.handlers.end(failure);
  }
}
