import { type Observable, Subject } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import type { RecognizerResult, RecognizerSession } from '../recognizer.ts';
import type { Answer, SessionSettings } from './messages.ts';
import type { PooledChannel } from './sherpaPool.ts';
import { SAMPLE_RATE } from './tokenWords.ts';

/** Audio goes to the process in messages of at most 0.1 s: streams take turns by them. */
const MESSAGE_FRAMES = SAMPLE_RATE / 10;
/** `write()` waits while more than 1 s of audio is on its way. */
const MAX_FRAMES_IN_FLIGHT = SAMPLE_RATE;

export interface SherpaSessionOptions {
  readonly settings: SessionSettings;
  /** Called once, when the session has ended. */
  readonly onEnd: (session: SherpaSession) => void;
  readonly signal?: AbortSignal;
}

/** A streaming session over a channel, which it takes over. */
export class SherpaSession implements RecognizerSession {
  readonly results$: Observable<RecognizerResult>;
  /** Resolves when it can be fed; rejects when the session ends before. */
  readonly started: Promise<void>;
  readonly #channel: PooledChannel;
  readonly #options: SherpaSessionOptions;
  readonly #results = new Subject<RecognizerResult>();
  readonly #started = Promise.withResolvers<void>();
  readonly #finished = Promise.withResolvers<void>();
  #writing: Promise<void> = Promise.resolve();
  #framesInFlight = 0;
  /** Wakes the write that waits for room. */
  #onRoom = () => {};
  #finishing: Promise<void> | undefined;
  /** Why nothing can be written any more. */
  #over: RxscribeError | undefined;

  constructor(channel: PooledChannel, options: SherpaSessionOptions) {
    this.#channel = channel;
    this.#options = options;
    this.results$ = this.#results.asObservable();
    this.started = this.#started.promise;
    this.started.catch(() => {});
    this.#finished.promise.catch(() => {});
    channel.listen(answer => this.#onAnswer(answer));
    void channel.ended.then(error => this.#end(error, () => this.#results.error(error)));
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    channel.ask({ type: 'start', ...options.settings });
  }

  write(samples: Int16Array): Promise<void> {
    if (this.#finishing) return Promise.reject(this.#over ?? finished());
    const copy = samples.slice();
    const written = this.#writing.then(() => this.#send(copy));
    this.#writing = written.catch(() => {});
    return written;
  }

  finish(): Promise<void> {
    this.#finishing ??= this.#writing.then(() => {
      if (!this.#over) this.#channel.ask({ type: 'finish' });
      return this.#finished.promise;
    });
    return this.#finishing;
  }

  async close(): Promise<void> {
    const closed = new RxscribeError('aborted', 'write to recogniser session: it is closed');
    this.#end(closed, () => this.#results.complete());
    await this.#channel.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #send(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += MESSAGE_FRAMES) {
      if (this.#over) throw this.#over;
      const part = samples.slice(at, at + MESSAGE_FRAMES);
      this.#framesInFlight += part.length;
      this.#channel.ask({ type: 'audio', samples: part });
      if (this.#framesInFlight > MAX_FRAMES_IN_FLIGHT) {
        await new Promise<void>(resolve => {
          this.#onRoom = resolve;
        });
      }
    }
    if (this.#over) throw this.#over;
  }

  #onAnswer(answer: Answer): void {
    if (this.#over) return;
    if (answer.type === 'started') this.#started.resolve();
    if (answer.type === 'result') this.#results.next(answer.result);
    if (answer.type === 'taken') {
      this.#framesInFlight -= answer.frames;
      if (this.#framesInFlight <= MAX_FRAMES_IN_FLIGHT) this.#onRoom();
    }
    if (answer.type === 'finished') this.#end(finished(), () => this.#results.complete());
  }

  #end(reason: RxscribeError, settle: () => void): void {
    if (this.#over) return;
    this.#over = reason;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onEnd(this);
    settle();
    this.#started.reject(reason);
    if (reason.code === 'aborted') this.#finished.resolve();
    else this.#finished.reject(reason);
    this.#onRoom();
    void this.#channel.release();
  }

  readonly #onAbort = () => void this.close();
}

function finished(): RxscribeError {
  return new RxscribeError('aborted', 'write to recogniser session: it is finished');
}
