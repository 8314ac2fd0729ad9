import type { Clock } from '../../base/clock.ts';
import { withAbort } from '../../base/wait/withTimeout.ts';
import { createWakeSignal } from '../lifecycle/wakeSignal.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Results } from './jobResults.ts';

/** A job that has ended; or one in progress, when the service stops. */
export interface EndedJob {
  readonly record: JobRecord;
  /** Its results; absent when another process has run it, or it had ended before. */
  readonly results?: Results;
}

/** Milliseconds between two looks at a job, which another process may run. */
const LOOK_MS = 500;

/** Creates the waits for the ends of jobs. A job whose results are not stored has them here only. */
export function createJobEnds(clock: Clock) {
  const waits = new Map<string, (ended: EndedJob | undefined) => void>();
  let isStopping = false;
  return {
    /** Reports a job that has ended in this process. */
    report(record: JobRecord, results: Results): void {
      waits.get(record.id)?.({ record, results });
    },

    /** Ends all waits, also those that begin later. */
    stop(): void {
      isStopping = true;
      for (const wake of waits.values()) wake(undefined);
    },

    /**
     * Resolves with a job when it has ended; with undefined when it does not exist any more.
     *
     * @param find returns the job as it is stored
     * @throws the signal's reason
     */
    async wait(
      id: string,
      find: () => Promise<JobRecord | undefined>,
      signal: AbortSignal,
    ): Promise<EndedJob | undefined> {
      const place = createWakeSignal(clock);
      let ended: EndedJob | undefined;
      waits.set(id, found => {
        ended ??= found;
        place.wake();
      });
      try {
        for (;;) {
          const record = await find();
          if (ended) return ended;
          if (record?.status !== 'in_progress' || isStopping) return record && { record };
          await withAbort(place.woken(LOOK_MS), signal);
        }
      } finally {
        waits.delete(id);
        place.wake();
      }
    },
  };
}
