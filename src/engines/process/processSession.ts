import { type Observable, Subject } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import type { RecognizerResult, RecognizerSession } from '../recognizer.ts';
import type { FromSession, ToSession } from './sessionMessages.ts';

/** A process as a session needs it. */
export interface SessionChannel<Start> {
  /** Resolves when the process is gone, with what to tell those who needed it. */
  readonly ended: Promise<RxscribeError>;
  send(message: ToSession<Start>): void;
  /** Where messages go; there is one listener. */
  listen(listener: (message: FromSession) => void): void;
  /** The session has ended; resolves when what it used is given back. Called more than once. */
  release(): Promise<void>;
}

export interface ProcessSessionOptions<Start> {
  readonly start: Start;
  /** Hz. */
  readonly sampleRate: number;
  readonly signal?: AbortSignal;
}

/** Audio goes to the process in messages of at most 0.1 s: sessions of one process take turns by them. */
const MESSAGES_PER_SECOND = 10;
/** `write()` waits while more audio than this is on its way. */
const MAX_SECONDS_IN_FLIGHT = 1;

/** A streaming session over a process that recognises; it takes the channel over. */
export class ProcessSession<Start> implements RecognizerSession {
  readonly results$: Observable<RecognizerResult>;
  /** Resolves when it can be fed; rejects when the session ends before. */
  readonly started: Promise<void>;
  readonly #channel: SessionChannel<Start>;
  readonly #options: ProcessSessionOptions<Start>;
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

  constructor(channel: SessionChannel<Start>, options: ProcessSessionOptions<Start>) {
    this.#channel = channel;
    this.#options = options;
    this.results$ = this.#results.asObservable();
    this.started = this.#started.promise;
    this.started.catch(() => {});
    this.#finished.promise.catch(() => {});
    channel.listen(message => this.#onMessage(message));
    void channel.ended.then(error => this.#end(error, () => this.#results.error(error)));
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    channel.send({ type: 'start', ...options.start });
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
      if (!this.#over) this.#channel.send({ type: 'finish' });
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
    const messageFrames = this.#options.sampleRate / MESSAGES_PER_SECOND;
    for (let at = 0; at < samples.length; at += messageFrames) {
      if (this.#over) throw this.#over;
      const part = samples.subarray(at, at + messageFrames);
      this.#framesInFlight += part.length;
      this.#channel.send({ type: 'audio', samples: part });
      if (!this.#hasRoom()) {
        await new Promise<void>(resolve => {
          this.#onRoom = resolve;
        });
      }
    }
    if (this.#over) throw this.#over;
  }

  #hasRoom(): boolean {
    return this.#framesInFlight <= MAX_SECONDS_IN_FLIGHT * this.#options.sampleRate;
  }

  #onMessage(message: FromSession): void {
    if (this.#over) return;
    if (message.type === 'started') this.#started.resolve();
    if (message.type === 'result') this.#results.next(message.result);
    if (message.type === 'taken') {
      this.#framesInFlight -= message.frames;
      if (this.#hasRoom()) this.#onRoom();
    }
    if (message.type === 'finished') this.#end(finished(), () => this.#results.complete());
  }

  #end(reason: RxscribeError, settle: () => void): void {
    if (this.#over) return;
    this.#over = reason;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
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
