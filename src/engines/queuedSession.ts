import { type Observable, Subject } from 'rxjs';
import { RxscribeError, reasonOf } from '../base/errors.ts';
import type { RecognizerResult, RecognizerSession } from './recognizer.ts';
import type { SessionKind } from './workMeter.ts';

const SAMPLE_RATE = 16_000;

/** A session whose calls are carried out in their order, each when the one before it is done. */
export abstract class QueuedSession implements RecognizerSession {
  protected readonly results = new Subject<RecognizerResult>();
  readonly results$: Observable<RecognizerResult> = this.results.asObservable();
  /** Pieces of audio in progress. */
  protected readonly awaited = new AwaitedAudio();
  /** Resumes the write that waits for room. */
  protected onRoom = () => {};
  /** Error of further writes. */
  protected over: RxscribeError | undefined;
  readonly #kind: SessionKind;
  readonly #signal: AbortSignal | undefined;
  #queue: Promise<void> = Promise.resolve();
  #finishing: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor({ kind, signal }: { readonly kind: SessionKind; readonly signal?: AbortSignal }) {
    this.#kind = kind;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  write(samples: Int16Array): Promise<void> {
    const copy = samples.slice();
    return this.#enqueue(() => this.take(copy));
  }

  flush(): Promise<void> {
    return this.#enqueue(() => this.endUtterance());
  }

  finish(): Promise<void> {
    this.#finishing ??= this.#queue.then(async () => {
      if (!this.over) await this.endAudio().catch(error => this.fail(error));
      this.#end(errorOf('finished'), () => this.results.complete());
      if (this.over?.code !== 'aborted') throw this.over;
    });
    return this.#finishing;
  }

  async close(): Promise<void> {
    this.#end(errorOf('closed'), () => this.results.complete());
    await this.#released;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Milliseconds for which the oldest audio in progress of a stream has waited. */
  get lagMs(): number {
    return this.over || this.#kind === 'recording' ? 0 : this.awaited.lagMs;
  }

  /** Recognises audio; resolves when there is room for more, or when the session is over. */
  protected abstract take(samples: Int16Array): Promise<void>;
  /** Resolves when the utterance in progress has ended and all finals are emitted, or when the session is over. */
  protected abstract endUtterance(): Promise<void>;
  /** Recognises the rest; resolves when all finals are emitted, or when the session is over. */
  protected abstract endAudio(): Promise<void>;
  /** Releases everything; called once. */
  protected abstract release(): Promise<void>;

  /** Resolves at the next call of {@link onRoom}. */
  protected room(): Promise<void> {
    return new Promise(resolve => {
      this.onRoom = resolve;
    });
  }

  /** Ends the session with an error. */
  protected fail(cause: unknown): void {
    const message = `Cannot recognise speech: ${reasonOf(cause)}.`;
    const error =
      cause instanceof RxscribeError ? cause : new RxscribeError('engine-failed', message, { cause });
    this.#end(error, () => this.results.error(error));
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    if (this.#finishing !== undefined) return Promise.reject(this.over ?? errorOf('finished'));
    const done = this.#queue.then(async () => {
      if (!this.over) await step();
      if (this.over) throw this.over;
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  #end(reason: RxscribeError, settle: () => void): void {
    if (this.over) return;
    this.over = reason;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    settle();
    this.onRoom();
    this.#released = this.release();
  }

  readonly #onAbort = () => void this.close();
}

function errorOf(end: 'finished' | 'closed'): RxscribeError {
  return new RxscribeError('aborted', `Cannot write to the recogniser session: it is ${end}.`);
}

/** The pieces of a session's audio that wait for their results. */
class AwaitedAudio {
  readonly #openedMs = performance.now();
  /** Times from which the results of the pieces are due, in milliseconds. */
  readonly #dueMs: number[] = [];

  /** Number of pieces that wait. */
  get count(): number {
    return this.#dueMs.length;
  }

  /** Milliseconds for which the oldest piece has waited; 0 without one. */
  get lagMs(): number {
    const [dueMs = Number.POSITIVE_INFINITY] = this.#dueMs;
    return Math.max(0, performance.now() - dueMs);
  }

  /** Adds a piece up to a frame. Its wait begins now, or when it would have been spoken, if that is later. */
  add(endFrame: number): void {
    this.#dueMs.push(Math.max(performance.now(), this.spokenMs(endFrame)));
  }

  /** Removes the oldest piece. */
  shift(): void {
    this.#dueMs.shift();
  }

  /** Returns the time at which a frame is spoken when all audio comes at real time. */
  spokenMs(frame: number): number {
    return this.#openedMs + (frame / SAMPLE_RATE) * 1000;
  }
}
