import { type Observable, Subject } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import { AwaitedAudio } from '../awaitedAudio.ts';
import { NO_TIME, timeBetween } from '../process/callTimes.ts';
import type { PooledChannel } from '../process/processPool.ts';
import type { FinishOptions, RecognizerResult, RecognizerSession } from '../recognizer.ts';
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
export class SherpaSession implements RecognizerSession {
  readonly results$: Observable<RecognizerResult>;
  /** Resolves when the session accepts audio; rejects when it ends before. */
  readonly started: Promise<void>;
  readonly #channel: PooledChannel<SessionMethods, RecognizerResult>;
  readonly #options: SherpaSessionOptions;
  readonly #results = new Subject<RecognizerResult>();
  #writing: Promise<void> = Promise.resolve();
  /** Time of calls that is counted. */
  #counted = NO_TIME;
  /** Frames of messages that are answered. */
  #framesDone = 0;
  #framesInFlight = 0;
  /** Messages in flight. */
  readonly #awaited = new AwaitedAudio(SAMPLE_RATE);
  /** Resumes the write that waits for room. */
  #onRoom = () => {};
  #finishing: Promise<void> | undefined;
  /** Error of further writes. */
  #over: RxscribeError | undefined;

  constructor(
    channel: PooledChannel<SessionMethods, RecognizerResult>,
    settings: SessionSettings,
    options: SherpaSessionOptions,
  ) {
    this.#channel = channel;
    this.#options = options;
    this.results$ = this.#results.asObservable();
    channel.listen(result => !this.#over && this.#results.next(result));
    void channel.ended.then(error => this.#fail(error));
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.started = this.#call('start', [settings]);
    this.started.catch(() => {});
  }

  write(samples: Int16Array): Promise<void> {
    if (this.#finishing !== undefined) return Promise.reject(this.#over ?? finished());
    const copy = samples.slice();
    const written = this.#writing.then(() => this.#send(copy));
    this.#writing = written.catch(() => {});
    return written;
  }

  finish({ toPause = false }: FinishOptions = {}): Promise<void> {
    this.#finishing ??= this.#writing.then(() => this.#finish(toPause));
    return this.#finishing;
  }

  async close(): Promise<void> {
    this.#end(new RxscribeError('aborted', 'Cannot write to the recogniser session: it is closed.'), () =>
      this.#results.complete(),
    );
    await this.#channel.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Milliseconds for which the oldest audio of a stream has waited for its process. */
  get lagMs(): number {
    return this.#over || this.#options.kind === 'recording' ? 0 : this.#awaited.lagMs;
  }

  async #send(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += MESSAGE_FRAMES) {
      if (this.#over) throw this.#over;
      const part = samples.subarray(at, at + MESSAGE_FRAMES);
      this.#framesInFlight += part.length;
      this.#awaited.add(this.#framesDone + this.#framesInFlight);
      this.#call('write', [part]).then(
        () => this.#onWritten(part.length),
        () => {},
      );
      if (!this.#hasRoom()) {
        await new Promise<void>(resolve => {
          this.#onRoom = resolve;
        });
      }
    }
    if (this.#over) throw this.#over;
  }

  async #finish(toPause: boolean): Promise<void> {
    if (!this.#over) {
      await this.#call('finish', [toPause]).then(
        () => this.#end(finished(), () => this.#results.complete()),
        () => {},
      );
    }
    if (this.#over && this.#over.code !== 'aborted') throw this.#over;
  }

  /** Calls the process, and ends the session when the call fails. */
  async #call<Name extends keyof SessionMethods>(
    method: Name,
    args: Parameters<SessionMethods[Name]>,
  ): Promise<void> {
    try {
      await this.#channel.call(method, args as never);
    } catch (error) {
      this.#fail(error as RxscribeError);
      throw this.#over;
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
    this.#awaited.shift();
    this.#options.meter.hear(this.#options.kind, frames / SAMPLE_RATE);
    if (this.#hasRoom()) this.#onRoom();
  }

  #fail(error: RxscribeError): void {
    this.#end(error, () => this.#results.error(error));
  }

  #end(reason: RxscribeError, settle: () => void): void {
    if (this.#over) return;
    this.#over = reason;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    settle();
    this.#onRoom();
    void this.#channel.release();
  }

  readonly #onAbort = () => void this.close();
}

function finished(): RxscribeError {
  return new RxscribeError('aborted', 'Cannot write to the recogniser session: it is finished.');
}
