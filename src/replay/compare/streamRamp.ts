import type { SuiteService } from '../suite/suite.ts';

/** The result of a number of simultaneous streams in real time. */
export interface RampStep {
  readonly streams: number;
  readonly failures: number;
  /** Seconds from the end of an utterance to its final, p95 of all streams; null when there was no final. */
  readonly finalDelay: number | null;
}

/** The number of simultaneous streams that a service sustains in real time. */
export interface HeldStreams {
  /** Maximum number of streams that were sustained; 0 if there was none. */
  readonly held: number;
  /** True when every step was sustained, so the service may sustain more. */
  readonly isAll: boolean;
  readonly steps: readonly RampStep[];
}

/** Returns the numbers of streams to try after one: 2, 4, 8 and so on, and the maximum last. */
export function rampOf(maxStreams: number): readonly number[] {
  const counts: number[] = [];
  for (let streams = 2; streams < maxStreams; streams *= 2) counts.push(streams);
  return maxStreams > 1 ? [...counts, maxStreams] : counts;
}

/**
 * Returns whether a step is sustained: no stream failed, and the p95 delay of finals exceeds that of one stream by at
 * most the given seconds.
 */
export function isHeld(step: RampStep, alone: RampStep, maxAddedDelaySeconds: number): boolean {
  if (step.failures > 0 || step.finalDelay === null || alone.finalDelay === null) return false;
  return step.finalDelay <= alone.finalDelay + maxAddedDelaySeconds;
}

/** Returns the most streams that were sustained before the first step that was not; the first step has one stream. */
function heldStreams(steps: readonly [RampStep, ...RampStep[]], maxAddedDelaySeconds: number): HeldStreams {
  const [alone] = steps;
  const broken = steps.findIndex(step => !isHeld(step, alone, maxAddedDelaySeconds));
  const held = broken === -1 ? steps : steps.slice(0, broken);
  return { held: held.at(-1)?.streams ?? 0, isAll: broken === -1, steps };
}

/** Options of {@link rampServices}. */
export interface RampOptions {
  /** Maximum number of simultaneous streams to try. */
  readonly maxStreams: number;
  /** Maximum additional delay of finals compared with one stream, in seconds. */
  readonly maxAddedDelaySeconds: number;
  readonly signal?: AbortSignal;
}

/** Defaults of {@link RampOptions}. */
export const RAMP_DEFAULTS = { maxStreams: 8, maxAddedDelaySeconds: 1 } as const;

/**
 * Increases the streams to each service until a step is not sustained. Only one service is under load at a time.
 *
 * @param alone the services with the results of single streams
 * @param attempt runs a number of simultaneous streams in real time
 */
export async function rampServices(
  alone: readonly { readonly service: ComparedService; readonly step: RampStep }[],
  attempt: (service: ComparedService, streams: number) => Promise<RampStep>,
  { maxStreams, maxAddedDelaySeconds, signal }: RampOptions,
): Promise<readonly HeldStreams[]> {
  const ramps = alone.map(({ service, step }) => ({ service, first: step, more: [] as RampStep[] }));
  await inTurns(
    ramps,
    rampOf(maxStreams),
    async ({ service, first, more }, streams) => {
      const last = more.at(-1) ?? first;
      if (isHeld(last, first, maxAddedDelaySeconds)) more.push(await attempt(service, streams));
    },
    signal,
  );
  return ramps.map(({ first, more }) => heldStreams([first, ...more], maxAddedDelaySeconds));
}

/** One of the compared services. */
export interface ComparedService extends SuiteService {
  /** Unique name for tables. */
  readonly name: string;
}

/**
 * Calls `turn` for each item with each rival, one after another, and returns each rival with its results in the order of
 * the items. Each item begins with another rival, so that anything that changes with time, such as the load of a
 * machine, affects all of them alike.
 *
 * @throws the signal's reason
 */
export async function inTurns<Rival, Item, Result>(
  rivals: readonly Rival[],
  items: readonly Item[],
  turn: (rival: Rival, item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly { readonly rival: Rival; readonly results: readonly Result[] }[]> {
  const all = rivals.map(rival => ({ rival, results: [] as Result[] }));
  for (const [index, item] of items.entries()) {
    const first = index % rivals.length;
    for (const { rival, results } of [...all.slice(first), ...all.slice(0, first)]) {
      signal?.throwIfAborted();
      results.push(await turn(rival, item));
    }
  }
  return all;
}
