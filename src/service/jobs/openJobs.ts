import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import type { EndJob } from './ending.ts';
import type { JobLog } from './jobLog.ts';
import type { Queue } from './queue.ts';
import type { Lanes, Turns } from './turns.ts';

/** Dependencies of the work on the jobs of an open store. */
export interface WorkContext {
  readonly store: OpenStore;
  readonly clock: Clock;
  /** Called when work failed by a fault of the service, or waits for the store, with the fields of the job for the log. */
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
  readonly instruments: Instruments;
  readonly log: JobLog;
}

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
