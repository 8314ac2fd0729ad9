import { extname } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { type CallTime, NO_TIME, sumOf } from './callTimes.ts';
import { startChildProcess } from './childProcess.ts';
import type { FromHost, HostEnd, WorkFault, WorkHost } from './host.ts';

type MethodOf<Methods> = keyof Methods & string;

type ArgumentsOf<Method> = Method extends (...args: infer Arguments) => unknown ? Arguments : never;

type AnswerOf<Method> = Method extends (...args: never[]) => infer Answer ? Awaited<Answer> : never;

export interface CallOptions {
  /** Ends the wait; the call itself is still carried out. */
  readonly signal?: AbortSignal;
}

/** A sequence of calls: each is carried out when the one before it is done. Channels of one host take turns. */
export interface WorkChannel<Methods, Event = never> {
  /** Resolves with the error when the host is gone before the channel is closed. */
  readonly ended: Promise<RxscribeError>;
  /** @throws RxscribeError `engine-missing`, `engine-failed`; the signal's reason */
  call<Name extends MethodOf<Methods>>(
    method: Name,
    args: ArgumentsOf<Methods[Name]>,
    options?: CallOptions,
  ): Promise<AnswerOf<Methods[Name]>>;
  /** Sets the one listener of its events. */
  listen(listener: (event: Event) => void): void;
  /** Returns the time of the calls so far. */
  time(): CallTime;
  /** Pending calls reject with `aborted`, and those that have not begun are dropped. Idempotent. */
  close(): void;
}

export interface WorkOptions {
  /** Infinitive that error messages begin with, such as `align`: "Cannot align: …". */
  readonly task: string;
  /** Argument of the host's `load`. */
  readonly setup?: unknown;
  /** Flags of Node for the process. */
  readonly flags?: readonly string[];
  /** Milliseconds after which a host that is not ready is killed. Default: no limit. */
  readonly readyTimeoutMs?: number;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Returns the line of a log that explains the end of the process. */
  readonly complaintIn?: (log: string) => string | undefined;
}

interface PendingCall {
  readonly channel: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: RxscribeError) => void;
}

interface OpenChannel {
  onEvent: (event: unknown) => void;
  time: CallTime;
  readonly end: (error: RxscribeError) => void;
}

/** Returns the URL of a program in the folder of a module: `child.ts` from sources, `child.js` from a build. */
export function entryBeside({ filename, url }: ImportMeta, name: string): URL {
  return new URL(`./${name}${extname(filename)}`, url);
}

/**
 * Starts a child process that calls `serveWork`, and returns the typed calls to it.
 *
 * @example
 * const work = startWork<AlignmentMethods>(entryBeside(import.meta, 'child'), { task: 'align' });
 * const words = await work.openChannel().call('align', [text, utterances]);
 */
export function startWork<Methods, Event = never>(entry: URL, options: WorkOptions): Work<Methods, Event> {
  return new Work(startChildProcess(entry, options.flags), options);
}

/** Work in a host, which keeps this process alive only while it loads and while calls are pending. */
export class Work<Methods, Event = never> {
  /** Resolves when the host has loaded its setup; rejects with the error of `ended` when it never will. */
  readonly ready: Promise<void>;
  /** Resolves when the host is gone or killed with an error: with the error that pending calls reject with. */
  readonly ended: Promise<RxscribeError>;
  readonly #host: WorkHost;
  readonly #options: WorkOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<RxscribeError>();
  readonly #calls = new Map<number, PendingCall>();
  readonly #channels = new Map<number, OpenChannel>();
  #isReady = false;
  /** Fault that the host reported before it ended. */
  #failure: WorkFault | undefined;
  #error: RxscribeError | undefined;
  #ids = 0;

  constructor(host: WorkHost, options: WorkOptions) {
    this.#host = host;
    this.#options = options;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {});
    this.ended = this.#ended.promise;
    host.listen(message => this.#onMessage(message));
    void host.ended.then(end => this.#end(endError(options, this.#failure, end)));
    this.#limitLoading();
    this.#holdIfNeeded();
    host.send({ type: 'load', setup: options.setup });
  }

  /** True from the end of the host, or from `kill`. */
  get isOver(): boolean {
    return this.#error !== undefined;
  }

  /** Number of open channels. */
  get channels(): number {
    return this.#channels.size;
  }

  openChannel(): WorkChannel<Methods, Event> {
    const id = this.#ids++;
    // A promise for each channel: reactions to the host's promise would be kept until the host ends.
    const ended = Promise.withResolvers<RxscribeError>();
    const channel: OpenChannel = { onEvent: () => {}, time: NO_TIME, end: ended.resolve };
    this.#channels.set(id, channel);
    if (this.#error) ended.resolve(this.#error);
    return {
      ended: ended.promise,
      call: (method, args, options = {}) => this.#call(id, method, args, options) as Promise<never>,
      listen(listener) {
        channel.onEvent = listener as (event: unknown) => void;
      },
      time: () => channel.time,
      close: () => this.#closeChannel(id),
    };
  }

  /** Ends the host at once and resolves when it is gone. Pending calls reject with `error` where given. Idempotent. */
  async kill(error?: RxscribeError): Promise<void> {
    if (error) this.#end(error);
    await this.#host.kill();
  }

  async #call(
    channel: number,
    method: string,
    args: readonly unknown[],
    { signal }: CallOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#error) throw this.#error;
    const id = this.#ids++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#calls.set(id, { channel, resolve, reject });
    this.#holdIfNeeded();
    this.#host.send({ type: 'call', id, channel, method, args });
    try {
      return await withAbort(promise, signal);
    } finally {
      this.#calls.delete(id);
      this.#holdIfNeeded();
    }
  }

  #closeChannel(id: number): void {
    if (!this.#channels.delete(id) || this.#error) return;
    this.#host.send({ type: 'close', channel: id });
    const closed = new RxscribeError('aborted', `Cannot ${this.#options.task}: the channel is closed.`);
    for (const { channel, reject } of this.#calls.values()) {
      if (channel === id) reject(closed);
    }
  }

  #onMessage(message: FromHost): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#holdIfNeeded();
        this.#ready.resolve();
        break;
      case 'failed':
        this.#failure = message;
        break;
      case 'answer':
        this.#count(message);
        this.#calls.get(message.id)?.resolve(message.answer);
        break;
      case 'refused':
        this.#count(message);
        this.#calls.get(message.id)?.reject(errorOf(this.#options.task, message));
        break;
      case 'event':
        this.#channels.get(message.channel)?.onEvent(message.event);
    }
  }

  #count({ id, time }: { readonly id: number; readonly time: CallTime }): void {
    const channel = this.#channels.get(this.#calls.get(id)?.channel ?? -1);
    if (channel) channel.time = sumOf(channel.time, time);
  }

  #end(error: RxscribeError): void {
    if (this.#error) return;
    this.#error = error;
    this.#ready.reject(error);
    for (const { reject } of this.#calls.values()) reject(error);
    for (const { end } of this.#channels.values()) end(error);
    this.#ended.resolve(error);
  }

  #holdIfNeeded(): void {
    this.#host.hold(!this.#isReady || this.#calls.size > 0);
  }

  #limitLoading(): void {
    const { readyTimeoutMs, clock = systemClock } = this.#options;
    if (readyTimeoutMs === undefined) return;
    const cancel = clock.schedule(readyTimeoutMs, () => {
      this.#failure ??= {
        code: 'engine-failed',
        message: `it was not ready after ${readyTimeoutMs / 1000} s`,
      };
      void this.#host.kill();
    });
    this.ready.then(cancel, cancel);
  }
}

function endError(
  { task, complaintIn }: WorkOptions,
  failure: WorkFault | undefined,
  { reason, log }: HostEnd,
): RxscribeError {
  const { code, message } = failure ?? { code: 'engine-failed', message: reason };
  const cause = complaintIn?.(log);
  const explained = cause ? `${reasonOf(message)}: ${cause}` : message;
  return errorOf(task, { code, message: explained }, new Error(log));
}

function errorOf(task: string, { code, message }: WorkFault, cause?: Error): RxscribeError {
  // An error of rxscribe is already a whole sentence that names the problem.
  const isWhole = message.startsWith('Cannot ');
  return new RxscribeError(code, isWhole ? message : `Cannot ${task}: ${reasonOf(message)}.`, { cause });
}
