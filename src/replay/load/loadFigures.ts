import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { JobFailedError } from '../../client/jobs/requestErrors.ts';
import { ServiceError } from '../../client/serviceErrors.ts';
import type { Delays } from '../measure/measures.ts';
import { createQuantileCounter, type Quantiles } from '../measure/quantiles.ts';
import type { WordCounts } from './passWords.ts';

/** Numbers of failures by kind: a close code such as `4013`, `HTTP 429`, a code of the network or of rxscribe. */
export type FailureCounts = Readonly<Record<string, number>>;

/** The behaviour of a service during a step of a load, or during all of it. Times are in seconds. */
export interface LoadFigures {
  readonly seconds: number;
  /** Delays of the words, as `replay` measures them. */
  readonly delay: Delays;
  /** Waiting time of the oldest spoken word without any text, of each stream twice a second. */
  readonly lag: Quantiles | null;
  readonly streams: {
    /** Connections that were begun. */
    readonly connections: number;
    /** Connections that got a recogniser. */
    readonly accepted: number;
    /** Streams that ended as they should. */
    readonly ended: number;
    /** Connections that got no recogniser. */
    readonly refused: FailureCounts;
    /** Connections that broke later; the stream went on over another one. */
    readonly broken: FailureCounts;
    /** Streams that ended with an error although they had a recogniser. */
    readonly failed: FailureCounts;
    /** Faults of messages that ended no stream. */
    readonly warnings: FailureCounts;
    /** From the begin of a connection to the end of its handshake. */
    readonly handshake: Quantiles | null;
    /** From the handshake to a recogniser. */
    readonly admission: Quantiles | null;
  };
  readonly words: WordCounts;
  readonly jobs: {
    readonly submitted: number;
    readonly ended: number;
    readonly failed: FailureCounts;
    /** Jobs of a rate that were not submitted because too many were in flight. */
    readonly heldBack: number;
    readonly perSecond: number;
    /** Seconds of media transcribed per second. */
    readonly realTimeFactor: number;
    /** From the request to its answer. */
    readonly submission: Quantiles | null;
    /** From the creation to the end of a job, on the clock of the service. */
    readonly duration: Quantiles | null;
  };
  readonly generator: GeneratorFigures;
}

/** The health of the program that makes the load. */
export interface GeneratorFigures {
  /** Blocks of audio, by the time at which they were due. */
  readonly late: Quantiles | null;
  readonly eventLoopP99: number;
  /** Processor time of this process per second; with an embedded service, parts of it are included. */
  readonly processor: number;
  /** True when it was too slow, so that the other figures are too high. */
  readonly isLate: boolean;
}

/** Lateness of blocks, and of the event loop, above which the generator distorts the figures. */
const LATE_SECONDS = 0.1;
const LOOP_RESOLUTION_MS = 10;

const SAMPLES = [
  'firstPartial',
  'word',
  'final',
  'lag',
  'handshake',
  'admission',
  'submission',
  'duration',
  'late',
] as const;
const COUNTS = [
  'connections',
  'accepted',
  'ended',
  'submitted',
  'jobsEnded',
  'heldBack',
  'mediaSeconds',
] as const;
const GROUPS = ['refused', 'broken', 'failed', 'warnings', 'jobsFailed'] as const;

export type LoadSample = (typeof SAMPLES)[number];
export type LoadCount = (typeof COUNTS)[number];
export type FailureGroup = (typeof GROUPS)[number];

/** Samples, counts and failures of a stretch of time. */
class Sheet {
  readonly samples = table(SAMPLES, createQuantileCounter);
  readonly counts: Record<LoadCount, number> = table(COUNTS, () => 0);
  readonly failures = table(GROUPS, () => new Map<string, number>());
  words: WordCounts = { expected: 0, missing: 0, extra: 0, changed: 0 };
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #processorStart = process.cpuUsage();
  readonly #startMs: number;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#loop.enable();
  }

  figures(nowMs: number): LoadFigures {
    const { samples, counts, failures, words } = this;
    const seconds = (nowMs - this.#startMs) / 1000;
    const of = (name: LoadSample) => samples[name].quantiles();
    const kinds = (group: FailureGroup) => Object.fromEntries(failures[group]);
    return {
      seconds,
      delay: { firstPartial: of('firstPartial'), word: of('word'), final: of('final') },
      lag: of('lag'),
      streams: {
        connections: counts.connections,
        accepted: counts.accepted,
        ended: counts.ended,
        refused: kinds('refused'),
        broken: kinds('broken'),
        failed: kinds('failed'),
        warnings: kinds('warnings'),
        handshake: of('handshake'),
        admission: of('admission'),
      },
      words,
      jobs: {
        submitted: counts.submitted,
        ended: counts.jobsEnded,
        failed: kinds('jobsFailed'),
        heldBack: counts.heldBack,
        perSecond: counts.jobsEnded / seconds,
        realTimeFactor: counts.mediaSeconds / seconds,
        submission: of('submission'),
        duration: of('duration'),
      },
      generator: this.#generator(seconds),
    };
  }

  close(): void {
    this.#loop.disable();
  }

  #generator(seconds: number): GeneratorFigures {
    const { user, system } = process.cpuUsage(this.#processorStart);
    const late = this.samples.late.quantiles();
    // The histogram counts the whole time between two of its timers.
    const loopMs = this.#loop.count === 0 ? 0 : this.#loop.percentile(99) / 1e6 - LOOP_RESOLUTION_MS;
    const eventLoopP99 = Math.max(0, loopMs / 1000);
    return {
      late,
      eventLoopP99,
      processor: (user + system) / 1e6 / seconds,
      isLate: Math.max(late?.p99 ?? 0, eventLoopP99) > LATE_SECONDS,
    };
  }
}

function table<Name extends string, Value>(
  names: readonly Name[],
  create: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map(name => [name, create(name)])) as Record<Name, Value>;
}

/** The measures of a load, by steps and in all. Its memory does not grow with time. */
export class LoadMeter implements Disposable {
  readonly clock: Clock;
  readonly #total: Sheet;
  #step: Sheet;
  #isSteady = false;

  constructor(clock: Clock) {
    this.clock = clock;
    this.#total = new Sheet(clock.now());
    this.#step = new Sheet(clock.now());
  }

  /** Begins a step: delays are left out until {@link LoadMeter.beSteady}. */
  startStep(): void {
    this.#step.close();
    this.#step = new Sheet(this.clock.now());
    this.#isSteady = false;
  }

  /** Declares that all clients of the step run. */
  beSteady(): void {
    this.#isSteady = true;
  }

  /** Adds a delay of words; only while the load is steady. */
  delay(name: 'firstPartial' | 'word' | 'final' | 'lag', seconds: number): void {
    if (this.#isSteady) this.sample(name, seconds);
  }

  sample(name: LoadSample, seconds: number): void {
    for (const sheet of this.#sheets()) sheet.samples[name].add(seconds);
  }

  count(name: LoadCount, count = 1): void {
    for (const sheet of this.#sheets()) sheet.counts[name] += count;
  }

  failure(group: FailureGroup, kind: string): void {
    for (const { failures } of this.#sheets())
      failures[group].set(kind, (failures[group].get(kind) ?? 0) + 1);
  }

  words(more: WordCounts): void {
    for (const sheet of this.#sheets()) {
      const { expected, missing, extra, changed } = sheet.words;
      sheet.words = {
        expected: expected + more.expected,
        missing: missing + more.missing,
        extra: extra + more.extra,
        changed: changed + more.changed,
      };
    }
  }

  step(): LoadFigures {
    return this.#step.figures(this.clock.now());
  }

  total(): LoadFigures {
    return this.#total.figures(this.clock.now());
  }

  [Symbol.dispose](): void {
    for (const sheet of this.#sheets()) sheet.close();
  }

  #sheets(): readonly Sheet[] {
    return [this.#step, this.#total];
  }
}

/** Returns the kind of a failure for {@link FailureCounts}. It never holds text of a service. */
export function failureKind(error: unknown): string {
  if (error instanceof JobFailedError) return error.failure ?? 'failed';
  if (error instanceof ServiceError) {
    if (error.closeCode !== undefined) return String(error.closeCode);
    if (error.httpStatus !== undefined) return `HTTP ${error.httpStatus}`;
    const { code } = (error.cause ?? {}) as { readonly code?: unknown };
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return code;
  }
  return error instanceof RxscribeError ? error.code : 'internal';
}

/** Returns the number of failures of all kinds. */
export function failuresIn(...counts: readonly FailureCounts[]): number {
  return counts.flatMap(each => Object.values(each)).reduce((sum, count) => sum + count, 0);
}
