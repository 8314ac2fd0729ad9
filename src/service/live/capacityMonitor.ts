import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Recognizer } from '../../engines/recognizer.ts';
import {
  type CapacityEstimate,
  freeStreams,
  initialEstimate,
  isBehind,
  nextEstimate,
  slotsOf,
} from './capacity.ts';

/** Figures of a service's capacity for streams. */
export interface Capacity {
  /** Streams that are open or opening. */
  readonly running: number;
  /** Streams that wait for capacity. */
  readonly waiting: number;
  /** Limit of streams. Undefined when there is none. */
  readonly slots: number | undefined;
  /** Streams that could be accepted now. Undefined without a limit. */
  readonly free: number | undefined;
  /** Share of the last minute in which the recogniser's decoders were busy; 0 when it measures nothing. */
  readonly busy: number;
  /** Seconds of decoding that each second of a stream's audio requires; 0 when they are not measured. */
  readonly costPerSecond: number;
  /** Milliseconds by which the results of the latest stream are late. */
  readonly lagMs: number;
  /** Streams with finals of a smaller model, because finals were late. */
  readonly quick: number;
}

export interface CapacityMonitorOptions {
  readonly recognizer: Recognizer;
  /** Limit of streams. Default: that of the recogniser. */
  readonly maxStreams?: number;
  readonly counts: () => Pick<Capacity, 'running' | 'waiting'>;
  readonly clock: Clock;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Milliseconds between two measurements while there are streams. */
const MEASURE_MS = 1000;
/** Milliseconds without a problem after which the next one is logged again. */
const EPISODE_MS = 60_000;

/**
 * Creates a monitor that measures the capacity for streams, and warns when there is too little. It uses no timer while no
 * stream runs or waits.
 */
export function createCapacityMonitor(options: CapacityMonitorOptions) {
  const { recognizer, maxStreams, counts, clock, logger } = options;
  let estimate: CapacityEstimate | undefined;
  let cancel: (() => void) | undefined;
  const isNewlyBehind = createEpisodes(clock);
  const isNewlyFull = createEpisodes(clock);
  const isNewlyQuick = createEpisodes(clock);

  function figures(): Capacity {
    const { running, waiting } = counts();
    const usage = recognizer.usage?.();
    if (!usage) {
      const free = maxStreams === undefined ? undefined : Math.max(0, maxStreams - running);
      return { running, waiting, slots: maxStreams, free, busy: 0, costPerSecond: 0, lagMs: 0, quick: 0 };
    }
    const nowMs = clock.now();
    estimate = estimate ? nextEstimate(estimate, usage, nowMs) : initialEstimate(usage, nowMs);
    const { busy, costPerSecond } = estimate;
    const slots = slotsOf(estimate, { running, maxStreams });
    const free = freeStreams(estimate, { running, maxStreams });
    const { lagMs, quickStreams: quick = 0 } = usage;
    return { running, waiting, slots, free, busy, costPerSecond, lagMs, quick };
  }

  function measure(): void {
    const now = figures();
    const rounded = { ...now, busy: hundredths(now.busy), costPerSecond: hundredths(now.costPerSecond) };
    if (isNewlyBehind(estimate !== undefined && isBehind(estimate))) logger.warn(rounded, behindMessage(now));
    if (isNewlyFull(now.waiting > 0 && now.free === 0)) logger.warn(rounded, fullMessage(now));
    if (isNewlyQuick(now.quick > 0)) logger.warn(rounded, quickMessage(now));
    cancel = clock.schedule(MEASURE_MS, measure);
  }

  return {
    figures,
    /** Returns whether another stream can be accepted. */
    hasRoom: () => (figures().free ?? 1) > 0,
    /** Call after each change of the counts. */
    update(): void {
      const { running, waiting } = counts();
      if (running + waiting > 0) {
        cancel ??= clock.schedule(MEASURE_MS, measure);
        return;
      }
      cancel?.();
      cancel = undefined;
    },
  };
}

/** Returns a function that returns whether a problem is a new one, rather than part of the one before. */
function createEpisodes(clock: Clock): (isProblem: boolean) => boolean {
  let lastMs = -Infinity;
  return isProblem => {
    if (!isProblem) return false;
    const isNew = clock.now() - lastMs > EPISODE_MS;
    lastMs = clock.now();
    return isNew;
  };
}

function behindMessage({ lagMs, running }: Capacity): string {
  return (
    `Streams are ${(lagMs / 1000).toFixed(1)} s behind: the processors cannot keep up with ${running} of them. ` +
    'New ones wait. Lower --max-streams or --jobs, or add a machine.'
  );
}

function fullMessage({ running, waiting }: Capacity): string {
  return (
    `No capacity is left for more streams: ${running} run and ${waiting} wait. ` +
    'Add a machine, or raise --max-streams if the processors are not busy.'
  );
}

function quickMessage({ quick }: Capacity): string {
  return (
    `Finals were late, so ${quick} streams get less accurate ones of the smaller model. ` +
    'Lower --max-streams or --jobs, or add a machine.'
  );
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
