import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import type { EndJob } from './ending.ts';
import type { Queue } from './queue.ts';
import type { Lanes, Turns } from './turns.ts';

/** The jobs of an open store. */
export interface OpenJobs {
  readonly store: OpenStore;
  readonly queue: Queue;
  readonly turns: Turns;
  readonly lanes: Lanes;
  readonly end: EndJob;
}

/** Dependencies of the parts that handle the jobs of a store. */
export interface JobsContext<Needed extends keyof OpenJobs = keyof OpenJobs> {
  /** Resolves when the store and its queue are open. */
  readonly opened: Promise<Pick<OpenJobs, Needed>>;
  readonly clock: Clock;
  /** Called when background work failed. */
  readonly onError: (error: unknown) => void;
}
