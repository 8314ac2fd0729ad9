import { type Clock, delay, systemClock } from '../../base/clock.ts';
import { seeded } from '../../base/seeded.ts';
import { LoadClients, type LoadClientsOptions } from './loadClients.ts';
import { failuresIn, type LoadFigures, LoadMeter } from './loadFigures.ts';
import { LOAD_DEFAULTS, type LoadLimits, type LoadPlan } from './loadPlan.ts';
import type { LoadService } from './loadSpeech.ts';

/**
 * A limit that was missed: `finals` when no final came, `jobs` when a rate of jobs could not be kept up, `generator` when this
 * process was far too slow to make the load.
 */
export type MissedLimit = 'delay' | 'lag' | 'failures' | 'finals' | 'jobs' | 'generator';

/** The clients of a step, and its length. */
interface LoadLevel {
  readonly streams: number;
  readonly jobs: number;
  readonly seconds: number;
}

/** A step of a load. */
export interface LoadStep {
  readonly streams: number;
  readonly jobs: number;
  /** False for a step that was interrupted. */
  readonly isComplete: boolean;
  /** Limits that were missed; a step without any is held. */
  readonly missed: readonly MissedLimit[];
  readonly figures: LoadFigures;
}

/** The result of a load. */
export interface LoadReport {
  readonly report: 'rxscribe load';
  readonly version: 1;
  /** Address of the service, or `embedded`. */
  readonly service: string;
  readonly seed: number;
  readonly plan: LoadPlan;
  readonly limits: LoadLimits;
  /** True when every limit was kept at full load, up to the end. */
  readonly isHeld: boolean;
  /** Clients of the largest step that was held, before the first one that was not. */
  readonly held: { readonly streams: number; readonly jobs: number };
  readonly steps: readonly LoadStep[];
  /** Figures from the first connection to the end of the last one. */
  readonly total: LoadFigures;
  /** Streams and jobs that had not ended when the load was given up. */
  readonly unfinished: number;
}

export interface LoadOptions extends Omit<LoadClientsOptions, 'jobsPerMinute' | 'sessionSeconds'> {
  readonly service: LoadService & { readonly shownAs: string };
  readonly plan: LoadPlan;
  readonly limits: LoadLimits;
  /** Determines where in the recordings streams begin. Default 1. */
  readonly seed?: number;
  /** Called twice a second with the figures of the step so far. */
  readonly onProgress?: (step: LoadStep, secondsLeft: number) => void;
  /** Called at the end of each step. */
  readonly onStep?: (step: LoadStep) => void;
  readonly clock?: Clock;
}

/** Share of a step in which its new clients start; the delays of its words are measured in the rest. */
const START_SHARE = 0.25;
/** Milliseconds between two measurements of the lag of each stream. */
const LOOK_MS = 500;
/** Late measurements in a row that show that audio becomes due faster than this process can send it. */
const OVERLOAD = { looks: 3, lateMs: 2000 } as const;

/** Returns the steps of a plan, in order. */
export function stepsOf({ streams, jobs, ramp, seconds }: LoadPlan): readonly LoadLevel[] {
  const full = streams || jobs;
  const levels: LoadLevel[] = [];
  for (let level = ramp?.clients ?? full; ramp && level < full; level += ramp.clients) {
    const clients = streams > 0 ? { streams: level, jobs } : { streams: 0, jobs: level };
    levels.push({ ...clients, seconds: ramp.seconds });
  }
  return [...levels, { streams, jobs, seconds }];
}

/**
 * Puts a service under load and measures how it behaves. With a ramp, the load ends after the first step that the service
 * does not hold.
 *
 * @throws RxscribeError `unavailable` when this process cannot open more connections
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { service, plan, limits, seed = LOAD_DEFAULTS.seed, clock = systemClock, signal } = options;
  using meter = new LoadMeter(clock);
  using clients = new LoadClients({ ...options, ...plan }, meter, seeded(seed));
  const steps: LoadStep[] = [];
  for (const step of stepsOf(plan)) {
    const result = await runStep(step, { options, meter, clients });
    steps.push(result);
    if (signal?.aborted || result.missed.length > 0) break;
  }
  const unfinished = await clients.finish();
  clients.throwIfOverloaded();
  const firstMissed = steps.findIndex(({ missed, isComplete }) => missed.length > 0 || !isComplete);
  const { streams = 0, jobs = 0 } = (firstMissed === -1 ? steps : steps.slice(0, firstMissed)).at(-1) ?? {};
  const total = meter.total();
  return {
    report: 'rxscribe load',
    version: 1,
    service: service.shownAs,
    seed,
    plan,
    limits,
    isHeld: firstMissed === -1 && unfinished === 0 && !missesFailures(total, limits),
    held: { streams, jobs },
    steps,
    total,
    unfinished,
  };
}

interface StepContext {
  readonly options: LoadOptions;
  readonly meter: LoadMeter;
  readonly clients: LoadClients;
}

async function runStep(
  { streams, jobs, seconds }: LoadLevel,
  { options, meter, clients }: StepContext,
): Promise<LoadStep> {
  const { clock } = meter;
  const { limits, onProgress, onStep } = options;
  const { ending } = clients;
  const endMs = clock.now() + seconds * 1000;
  const steadyMs = clock.now() + seconds * START_SHARE * 1000;
  let isSteady = false;
  let lateLooks = 0;
  const isOverloaded = () => lateLooks >= OVERLOAD.looks;
  const result = (isComplete: boolean): LoadStep => {
    const figures = meter.step();
    const missed = missedLimits(figures, { streams, limits });
    return { streams, jobs, isComplete, missed: isOverloaded() ? ['generator', ...missed] : missed, figures };
  };
  meter.startStep();
  clients.resize(streams, jobs, steadyMs - clock.now());
  while (clock.now() < endMs && !ending.aborted && !isOverloaded()) {
    const lookMs = Math.min(clock.now() + LOOK_MS, endMs);
    await delay(lookMs - clock.now(), { clock, signal: ending }).catch(() => {});
    lateLooks = clock.now() - lookMs > OVERLOAD.lateMs ? lateLooks + 1 : 0;
    if (!isSteady && clock.now() >= steadyMs) {
      isSteady = true;
      meter.beSteady();
    }
    clients.reportLag();
    onProgress?.(result(false), Math.max(0, (endMs - clock.now()) / 1000));
  }
  clients.throwIfOverloaded();
  const step = result(!ending.aborted);
  onStep?.(step);
  return step;
}

function missedLimits(
  figures: LoadFigures,
  { streams, limits }: { readonly streams: number; readonly limits: LoadLimits },
): readonly MissedLimit[] {
  const { delay: delays, lag, jobs } = figures;
  const missed: MissedLimit[] = [];
  if (streams > 0 && !delays.final) missed.push('finals');
  if ((delays.final?.p95 ?? 0) > limits.maxDelaySeconds) missed.push('delay');
  if ((lag?.p95 ?? 0) > limits.maxLagSeconds) missed.push('lag');
  if (missesFailures(figures, limits)) missed.push('failures');
  if (jobs.heldBack > 0) missed.push('jobs');
  return missed;
}

function missesFailures({ streams, jobs }: LoadFigures, { maxFailures }: LoadLimits): boolean {
  const failures = failuresIn(streams.refused, streams.failed, jobs.failed);
  return failures > maxFailures * (streams.connections + jobs.submitted);
}
