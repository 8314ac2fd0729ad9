import { RxscribeError } from '../../base/errors.ts';
import type { Random } from '../../base/seeded.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { createClient } from '../../client/jobs/createClient.ts';
import { failureKind, type LoadMeter } from './loadFigures.ts';
import { type LoadJobs, startLoadJobs } from './loadJobs.ts';
import type { LoadService, Recording, Speech } from './loadSpeech.ts';
import { type LoadStream, startLoadStream } from './loadStream.ts';

export interface LoadClientsOptions {
  readonly service: LoadService;
  /** Recordings of jobs. */
  readonly recordings: readonly Recording[];
  /** Recordings of streams, with their words. */
  readonly speech: readonly Speech[];
  readonly language?: string;
  /** Jobs to submit per minute. Default: one when another has ended. */
  readonly jobsPerMinute?: number;
  /** Seconds after which a stream ends and a new one begins, half as much more or less. Default: the end of the load. */
  readonly sessionSeconds?: number;
  /** Aborting it ends the load at once. */
  readonly signal?: AbortSignal;
}

/** Milliseconds before a stream that failed is replaced, up to twice as many. */
const REPLACE_MS = 1000;
/** Seconds for the last finals and jobs. */
const DRAIN_SECONDS = 60;
/** Seconds for which the service may keep the results, for inspection. */
const DELETE_AFTER_SECONDS = 600;

/** The clients of a load. */
export class LoadClients implements Disposable {
  /** Aborted with the signal of the load, and when this process cannot open more connections. */
  readonly ending: AbortSignal;
  readonly #options: LoadClientsOptions;
  readonly #meter: LoadMeter;
  readonly #random: Random;
  readonly #streams = new Set<LoadStream>();
  readonly #timers = new Set<() => void>();
  readonly #overload = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #jobs: LoadJobs;
  #started = 0;
  #isFinishing = false;

  constructor(options: LoadClientsOptions, meter: LoadMeter, random: Random) {
    const { service, jobsPerMinute, recordings, language } = options;
    const { signal } = this.#abandoned;
    this.ending = AbortSignal.any([this.#overload.signal, ...(options.signal ? [options.signal] : [])]);
    this.#options = options;
    this.#meter = meter;
    this.#random = random;
    this.#jobs = startLoadJobs({
      client: createClient({ url: service.url, token: service.token, brand: service.brand, signal }),
      recordings,
      meter,
      language,
      deleteAfterSeconds: DELETE_AFTER_SECONDS,
      signal,
      perMinute: jobsPerMinute,
    });
  }

  /** Starts clients up to these numbers, the streams spread over `overMs` milliseconds. */
  resize(streams: number, jobs: number, overMs: number): void {
    const more = streams - this.#started;
    for (let index = 0; index < more; index++) this.#later((index * overMs) / more, () => this.#start());
    this.#started = streams;
    this.#jobs.resize(jobs);
  }

  reportLag(): void {
    for (const stream of this.#streams) stream.reportLag();
  }

  throwIfOverloaded(): void {
    this.#overload.signal.throwIfAborted();
  }

  /** Ends the audio of all streams, and resolves with the number of clients that did not end in time. */
  async finish(): Promise<number> {
    this.#isFinishing = true;
    this.#stopTimers();
    for (const stream of this.#streams) stream.finish();
    const drained = Promise.all([...[...this.#streams].map(({ done }) => done), this.#jobs.finish()]);
    const limits = { clock: this.#meter.clock, timeoutMs: DRAIN_SECONDS * 1000, signal: this.ending };
    await withTimeout(drained, limits).catch(() => {});
    const unfinished = this.#streams.size + this.#jobs.inFlight;
    this[Symbol.dispose]();
    return this.#options.signal?.aborted ? 0 : unfinished;
  }

  [Symbol.dispose](): void {
    this.#isFinishing = true;
    this.#stopTimers();
    this.#abandoned.abort(new RxscribeError('aborted', 'The load has ended.'));
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  #start(): void {
    const { service, speech, language, sessionSeconds } = this.#options;
    const recording = speech[Math.floor(this.#random() * speech.length)]!;
    const stream = startLoadStream({
      service,
      speech: recording,
      firstBlock: Math.floor(this.#random() * recording.blocks.length),
      meter: this.#meter,
      deleteAfterSeconds: DELETE_AFTER_SECONDS,
      random: this.#random,
      language,
    });
    this.#streams.add(stream);
    if (sessionSeconds !== undefined) {
      this.#later(sessionSeconds * (0.5 + this.#random()) * 1000, () => stream.finish());
    }
    void stream.done.then(({ error }) => {
      this.#streams.delete(stream);
      if (this.#isFinishing) return;
      if (isOutOfConnections(error)) this.#overload.abort(overloadError(this.#streams.size, error));
      else this.#later(error === undefined ? 0 : REPLACE_MS * (1 + this.#random()), () => this.#start());
    });
  }

  #later(delayMs: number, action: () => void): void {
    const cancel = this.#meter.clock.schedule(delayMs, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
  }

  #stopTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}

function isOutOfConnections(error: unknown): boolean {
  return error !== undefined && ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL'].includes(failureKind(error));
}

function overloadError(streams: number, cause: unknown): RxscribeError {
  return new RxscribeError(
    'unavailable',
    `This process cannot open more than ${streams} connections (${failureKind(cause)}). Raise the limit with 'ulimit -n', or run several 'rxscribe load' in parallel.`,
    { cause },
  );
}
