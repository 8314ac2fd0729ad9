import { type Observable, Subject } from 'rxjs';
import { RxscribeError } from '../../base/errors.ts';
import type { RecognizerResult, RecognizerSession } from '../recognizer.ts';
import { SAMPLE_RATE } from './decoder.ts';
import type { DecoderProcess } from './decoderProcess.ts';
import type { FromDecoder, SessionStart } from './messages.ts';

/** Audio goes to the decoder's process in messages of at most 0.1 s. */
const MESSAGE_FRAMES = SAMPLE_RATE / 10;
/** `write()` waits while more than 1 s of audio is on its way. */
const MAX_FRAMES_IN_FLIGHT = SAMPLE_RATE;

export interface SessionOptions {
  /** Gives the decoder back when the session has ended; resolves when it is gone. Called more than once. */
  readonly release: (session: PocketSphinxSession) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** A streaming session over a decoder. */
export class PocketSphinxSession implements RecognizerSession {
  readonly results$: Observable<RecognizerResult>;
  /** Resolves when the decoder can be fed; rejects when the session ends before. */
  readonly started: Promise<void>;
  readonly #decoder: DecoderProcess;
  readonly #options: SessionOptions;
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

  constructor(decoder: DecoderProcess, options: SessionOptions, start: SessionStart) {
    this.#decoder = decoder;
    this.#options = options;
    this.results$ = this.#results.asObservable();
    this.started = this.#started.promise;
    this.started.catch(() => {});
    this.#finished.promise.catch(() => {});
    decoder.listen(message => this.#onMessage(message));
    void decoder.ended.then(error => this.#end(error, () => this.#results.error(error)));
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    decoder.send({ type: 'start', ...start });
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
      if (!this.#over) this.#decoder.send({ type: 'finish' });
      return this.#finished.promise;
    });
    return this.#finishing;
  }

  async close(): Promise<void> {
    const closed = new RxscribeError('aborted', 'write to recogniser session: it is closed');
    this.#end(closed, () => this.#results.complete());
    await this.#options.release(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #send(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += MESSAGE_FRAMES) {
      if (this.#over) throw this.#over;
      const part = samples.subarray(at, at + MESSAGE_FRAMES);
      this.#framesInFlight += part.length;
      this.#decoder.send({ type: 'audio', samples: part });
      if (this.#framesInFlight > MAX_FRAMES_IN_FLIGHT) {
        await new Promise<void>(resolve => {
          this.#onRoom = resolve;
        });
      }
    }
    if (this.#over) throw this.#over;
  }

  #onMessage(message: FromDecoder): void {
    if (this.#over) return;
    if (message.type === 'started') this.#started.resolve();
    if (message.type === 'result') this.#results.next(message.result);
    if (message.type === 'taken') {
      this.#framesInFlight -= message.frames;
      if (this.#framesInFlight <= MAX_FRAMES_IN_FLIGHT) this.#onRoom();
    }
    if (message.type === 'finished') this.#end(finished(), () => this.#results.complete());
  }

  #end(reason: RxscribeError, settle: () => void): void {
    if (this.#over) return;
    this.#over = reason;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    settle();
    this.#started.reject(reason);
    if (reason.code === 'engine-failed') this.#finished.reject(reason);
    else this.#finished.resolve();
    this.#onRoom();
    void this.#options.release(this);
  }

  readonly #onAbort = () => void this.close();
}

function finished(): RxscribeError {
  return new RxscribeError('aborted', 'write to recogniser session: it is finished');
}
