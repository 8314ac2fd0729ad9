import type { ComparedService } from './comparedService.ts';
import { inTurns } from './inTurns.ts';
import { type HeldStreams, heldStreams, isHeld, type RampStep, rampOf } from './streamRamp.ts';

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
