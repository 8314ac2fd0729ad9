import type { SuiteService } from '../suite/suite.ts';
import { inTurns } from './inTurns.ts';

/** What came of so many streams at a time, at real time. */
export interface RampStep {
  readonly streams: number;
  readonly failures: number;
  /** Seconds from the end of an utterance to its final, p95 of all streams; null when nothing was heard. */
  readonly finalDelay: number | null;
}

/** How many streams a service holds at real time. */
export interface HeldStreams {
  /** 0: not even one. */
  readonly held: number;
  /** More were not tried: it may hold more. */
  readonly isAll: boolean;
  readonly steps: readonly RampStep[];
}

/** How many streams at a time are tried. */
export const DEFAULT_MAX_STREAMS = 8;

/** By how many seconds finals may come later than with one stream before a service does not keep up. */
export const DEFAULT_MAX_ADDED_DELAY_SECONDS = 1;

/** How many streams are tried after one: 2, 4, 8 and so on, and the greatest number in the end. */
export function rampOf(maxStreams: number): readonly number[] {
  const counts: number[] = [];
  for (let streams = 2; streams < maxStreams; streams *= 2) counts.push(streams);
  return maxStreams > 1 ? [...counts, maxStreams] : counts;
}

/**
 * Whether a step is held: no stream failed, and the p95 delay of finals is at most so much above that of one stream.
 */
export function isHeld(step: RampStep, alone: RampStep, maxAddedDelaySeconds: number): boolean {
  if (step.failures > 0 || step.finalDelay === null || alone.finalDelay === null) return false;
  return step.finalDelay <= alone.finalDelay + maxAddedDelaySeconds;
}

/** The most streams that were held before the first step that was not. */
export function heldStreams(steps: readonly RampStep[], maxAddedDelaySeconds: number): HeldStreams {
  const [alone] = steps;
  const broken = steps.findIndex(step => !isHeld(step, alone!, maxAddedDelaySeconds));
  const held = broken === -1 ? steps : steps.slice(0, broken);
  return { held: held.at(-1)?.streams ?? 0, isAll: broken === -1, steps };
}

export interface RampOptions {
  readonly maxStreams: number;
  /** Default {@link DEFAULT_MAX_ADDED_DELAY_SECONDS}. */
  readonly maxAddedDelaySeconds: number;
  readonly signal?: AbortSignal;
}

/**
 * Tries how many streams each service holds, until one that does not hold is met. Only one service is under load at a time.
 *
 * @param alone what came of one stream at a time
 * @param attempt streams so many at a time, at real time
 */
export async function rampServices(
  alone: ReadonlyMap<ComparedService, RampStep>,
  attempt: (service: ComparedService, streams: number) => Promise<RampStep>,
  { maxStreams, maxAddedDelaySeconds, signal }: RampOptions,
): Promise<ReadonlyMap<ComparedService, HeldStreams>> {
  const steps = new Map([...alone].map(([service, step]) => [service, [step]]));
  const holds = (service: ComparedService) =>
    isHeld(steps.get(service)!.at(-1)!, alone.get(service)!, maxAddedDelaySeconds);
  await inTurns(
    [...alone.keys()],
    rampOf(maxStreams),
    async (service, streams) => {
      if (holds(service)) steps.get(service)!.push(await attempt(service, streams));
    },
    signal,
  );
  return new Map([...steps].map(([service, tried]) => [service, heldStreams(tried, maxAddedDelaySeconds)]));
}

/** One of the services that are compared. */
export interface ComparedService extends SuiteService {
  /** As tables show it; unique. */
  readonly name: string;
}
