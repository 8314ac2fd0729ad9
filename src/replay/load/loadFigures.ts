import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { JobFailedError } from '../../client/jobs/requestErrors.ts';
import { ServiceError } from '../../client/serviceErrors.ts';
import { LATE_SECONDS, type MachineState, MachineWatch } from '../measure/machineWatch.ts';
import { byDelayKind, QuantileCounter, type Quantiles } from '../measure/quantiles.ts';
import type { WordCounts } from './loopedWords.ts';

/** Numbers of failures by kind: a close code such as `4013`, `HTTP 429`, a code of the network or of rxscribe. */
export type FailureCounts = Readonly<Record<string, number>>;

class FailureCounter {
  readonly counts = new Map<string, number>();

  add(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}

/** Counts and samples of a step of a load, or of all of it. Times are in seconds. */
class Tally {
  /** Delays of the words, as `replay` measures them. */
  readonly delay = byDelayKind(() => new QuantileCounter());
  /** Waiting time of the oldest spoken word without any text, of each stream twice a second. */
  readonly lag = new QuantileCounter();
  readonly streams = {
    /** Connection attempts. */
    connections: 0,
    /** Connections that got a recogniser. */
    accepted: 0,
    /** Streams that ended normally. */
    ended: 0,
    /** Connections that got no recogniser. */
    refused: new FailureCounter(),
    /** Connections that broke later; the stream continued over another one. */
    broken: new FailureCounter(),
    /** Streams that ended with an error although they had a recogniser. */
    failed: new FailureCounter(),
    /** Warnings about messages, which do not end a stream. */
    warnings: new FailureCounter(),
    /** From the start of a connection to the end of its handshake. */
    handshake: new QuantileCounter(),
    /** From the handshake to a recogniser. */
    admission: new QuantileCounter(),
  };
  /** Words of the streams compared with those that the service found in the recordings alone. */
  readonly words: WordCounts = { expected: 0, missing: 0, extra: 0, changed: 0 };
  readonly jobs = {
    submitted: 0,
    ended: 0,
    failed: new FailureCounter(),
    /** Jobs of a rate that were not submitted because too many were in flight. */
    heldBack: 0,
    /** From the request to its answer. */
    submission: new QuantileCounter(),
    /** From the creation to the end of a job, on the clock of the service. */
    duration: new QuantileCounter(),
  };
  /** Seconds of media of the jobs that ended. */
  mediaSeconds = 0;
  /** Lateness of blocks of audio. */
  readonly late = new QuantileCounter();
}

/** A tally in a report. */
type Figures<T> = T extends QuantileCounter
  ? Quantiles | null
  : T extends FailureCounter
    ? FailureCounts
    : T extends object
      ? { readonly [Name in keyof T]: Figures<T[Name]> }
      : T;

function figuresOf<T>(tally: T): Figures<T>;
function figuresOf(tally: unknown): unknown {
  if (tally instanceof QuantileCounter) return tally.quantiles();
  if (tally instanceof FailureCounter) return Object.fromEntries(tally.counts);
  if (typeof tally !== 'object' || tally === null) return tally;
  return Object.fromEntries(Object.entries(tally).map(([name, value]) => [name, figuresOf(value)]));
}

/** The behaviour of a service during a step of a load, or during all of it. Times are in seconds. */
export interface LoadFigures extends Omit<Figures<Tally>, 'mediaSeconds' | 'late'> {
  readonly seconds: number;
  readonly jobs: Figures<Tally['jobs']> & {
    readonly perSecond: number;
    /** Seconds of media transcribed per second. */
    readonly realTimeFactor: number;
  };
  readonly generator: GeneratorFigures;
}

/** The health of the process that generates the load. */
export interface GeneratorFigures extends MachineState {
  /** Lateness of the blocks of audio. */
  readonly late: Quantiles | null;
  /** Processor time of this process per second, which includes parts of an embedded service. */
  readonly processor: number;
  /** True when the generator was too slow, so that the measured delays are too high. */
  readonly isLate: boolean;
}

/** The tally of a period, and the health of this process in it. */
class PeriodTally {
  readonly tally = new Tally();
  readonly #machine = new MachineWatch();
  readonly #processorStart = process.cpuUsage();
  readonly #startMs: number;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
  }

  figures(nowMs: number): LoadFigures {
    const seconds = (nowMs - this.#startMs) / 1000;
    const { jobs, mediaSeconds, late, ...figures } = figuresOf(this.tally);
    const rates = { perSecond: jobs.ended / seconds, realTimeFactor: mediaSeconds / seconds };
    return { seconds, ...figures, jobs: { ...jobs, ...rates }, generator: this.#generator(seconds, late) };
  }

  close(): void {
    this.#machine[Symbol.dispose]();
  }

  #generator(seconds: number, late: Quantiles | null): GeneratorFigures {
    const { user, system } = process.cpuUsage(this.#processorStart);
    const machine = this.#machine.state();
    return {
      late,
      ...machine,
      processor: (user + system) / 1e6 / seconds,
      isLate: Math.max(late?.p99 ?? 0, machine.eventLoopP99) > LATE_SECONDS,
    };
  }
}

/** The measures of a load, by steps and in all. Its memory does not grow with time. */
export class LoadMeter implements Disposable {
  readonly clock: Clock;
  readonly #total: PeriodTally;
  #step: PeriodTally;
  #isSteady = false;

  constructor(clock: Clock) {
    this.clock = clock;
    this.#total = new PeriodTally(clock.now());
    this.#step = new PeriodTally(clock.now());
  }

  /** Begins a step, which is not steady until {@link LoadMeter.beSteady}. */
  startStep(): void {
    this.#step.close();
    this.#step = new PeriodTally(this.clock.now());
    this.#isSteady = false;
  }

  /** Declares that all clients of the step run. */
  beSteady(): void {
    this.#isSteady = true;
  }

  /** Counts something in the step and in the total. */
  record(count: (tally: Tally) => void): void {
    for (const { tally } of this.#tallies()) count(tally);
  }

  /** Counts something only while the load is steady, such as a delay of words. */
  recordSteady(count: (tally: Tally) => void): void {
    if (this.#isSteady) this.record(count);
  }

  step(): LoadFigures {
    return this.#step.figures(this.clock.now());
  }

  total(): LoadFigures {
    return this.#total.figures(this.clock.now());
  }

  [Symbol.dispose](): void {
    for (const period of this.#tallies()) period.close();
  }

  #tallies(): readonly PeriodTally[] {
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
