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
