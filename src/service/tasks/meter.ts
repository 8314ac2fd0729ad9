import { JobFailedError, type TaskContext } from '../jobs/task.ts';
import type { JobLimits } from '../limits.ts';

/** Seconds of credit held at a time for media of unknown length. */
const RESERVE_STEP_SECONDS = 10;

/** Holds credit for the media of a job, and refuses media that is too long. */
export interface Meter {
  /**
   * Reports the length stated by the media.
   *
   * @throws JobFailedError `duration_exceeded`, `insufficient_balance`
   */
  announce(seconds: number): Promise<void>;
  /**
   * Reports the seconds of media read so far.
   *
   * @throws JobFailedError `duration_exceeded`, `insufficient_balance`
   */
  reach(seconds: number): Promise<void>;
  /**
   * Reports the end of the media.
   *
   * @throws JobFailedError `duration_too_short`, `insufficient_balance`
   */
  end(seconds: number): Promise<void>;
}

export function createMeter(
  { minMediaSeconds, maxMediaSeconds }: Pick<JobLimits, 'minMediaSeconds' | 'maxMediaSeconds'>,
  { reserve }: Pick<TaskContext, 'reserve'>,
): Meter {
  let reserved = 0;
  const hold = async (seconds: number) => {
    if (seconds <= reserved) return;
    await reserve(seconds);
    reserved = seconds;
  };
  const requireAtMost = (seconds: number) => {
    if (seconds <= maxMediaSeconds) return;
    throw new JobFailedError('duration_exceeded', `The media is longer than ${maxMediaSeconds} seconds.`);
  };
  return {
    async announce(seconds) {
      requireAtMost(seconds);
      await hold(seconds);
    },
    async reach(seconds) {
      requireAtMost(seconds);
      if (seconds - reserved >= RESERVE_STEP_SECONDS) await hold(seconds);
    },
    async end(seconds) {
      if (seconds < minMediaSeconds) {
        throw new JobFailedError(
          'duration_too_short',
          `The media is shorter than ${minMediaSeconds} seconds.`,
        );
      }
      await hold(seconds);
    },
  };
}
