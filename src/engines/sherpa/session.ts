import { NO_TIME, timeBetween } from '../process/callTimes.ts';
import type { PooledChannel } from '../process/processPool.ts';
import { QueuedSession } from '../queuedSession.ts';
import type { RecognizerResult } from '../recognizer.ts';
import type { SessionKind, WorkMeter } from '../workMeter.ts';
import { SAMPLE_RATE, type SessionMethods, type SessionSettings } from './tasks.ts';

/** Frames of a message: sessions of one process take turns after each message. */
const MESSAGE_FRAMES = SAMPLE_RATE / 10;
/** Limit of frames on their way to the process; above it, `write()` waits. */
const MAX_FRAMES_IN_FLIGHT = SAMPLE_RATE;

export interface SherpaSessionOptions {
  readonly kind: SessionKind;
  /** Counts the work of the session. */
  readonly meter: WorkMeter;
  readonly signal?: AbortSignal;
}

/** A streaming session over a channel to a process, which it releases when it ends. */
export class SherpaSession extends QueuedSession {
  /** Resolves when the session accepts audio; rejects when it ends before. */
  readonly started: Promise<void>;
  readonly #channel: PooledChannel<SessionMethods, RecognizerResult>;
  readonly #options: SherpaSessionOptions;
  /** Time of calls that is counted. */
  #counted = NO_TIME;
  /** Frames of messages that are answered. */
  #framesDone = 0;
  #framesInFlight = 0;

  constructor(
    channel: PooledChannel<SessionMethods, RecognizerResult>,
    settings: SessionSettings,
    options: SherpaSessionOptions,
  ) {
    super(options);
    this.#channel = channel;
    this.#options = options;
    channel.listen(result => !this.over && this.results.next(result));
    void channel.ended.then(error => this.fail(error));
    this.started = this.#call('start', [settings]);
    this.started.catch(() => {});
  }

  protected async take(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += MESSAGE_FRAMES) {
      if (this.over) return;
      const part = samples.subarray(at, at + MESSAGE_FRAMES);
      this.#framesInFlight += part.length;
      this.awaited.add(this.#framesDone + this.#framesInFlight);
      this.#call('write', [part]).then(
        () => this.#onWritten(part.length),
        () => {},
      );
      if (!this.#hasRoom()) await this.room();
    }
  }

  protected endUtterance(): Promise<void> {
    return this.#call('flush', []);
  }

  protected endAudio(): Promise<void> {
    return this.#call('finish', []);
  }

  protected release(): Promise<void> {
    return this.#channel.release();
  }

  /** Calls the process, and ends the session when the call fails. */
  async #call<Name extends keyof SessionMethods>(
    method: Name,
    args: Parameters<SessionMethods[Name]>,
  ): Promise<void> {
    try {
      await this.#channel.call(method, args as never);
    } catch (error) {
      this.fail(error);
      throw this.over;
    } finally {
      this.#countWork();
    }
  }

  #countWork(): void {
    const time = this.#channel.time();
    this.#options.meter.spend(this.#options.kind, timeBetween(this.#counted, time));
    this.#counted = time;
  }

  #hasRoom(): boolean {
    return this.#framesInFlight <= MAX_FRAMES_IN_FLIGHT;
  }

  #onWritten(frames: number): void {
    this.#framesInFlight -= frames;
    this.#framesDone += frames;
    this.awaited.shift();
    this.#options.meter.hear(this.#options.kind, frames / SAMPLE_RATE);
    if (this.#hasRoom()) this.onRoom();
  }
}
