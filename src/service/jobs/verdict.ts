import { RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../store/jobRecord.ts';
import { isStoreAway } from './storeRetry.ts';
import { JobFailedError } from './task.ts';

/** What becomes of a job whose task threw. */
export type Verdict =
  | {
      readonly type: 'fail';
      readonly outcome: JobFailure;
      /** The service is at fault. */
      readonly isFault: boolean;
    }
  | { readonly type: 'again'; readonly inSeconds: number };

export interface Circumstances {
  /** The service stops, or another process has taken the job over. */
  readonly isAborted: boolean;
  /** How often the job was tried so far, this time included. */
  readonly tries: number;
  readonly ageMs: number;
}

/** What does not pass in this time does not pass. */
export const ANSWER_TIMEOUT_MS = 24 * 3_600_000;
const LONGEST_WAIT_SECONDS = 60;

/** Judges what a task threw. Users are told what was meant for them, never the message of a fault. */
export function judge(error: unknown, { isAborted, tries, ageMs }: Circumstances): Verdict {
  if (isAborted) return { type: 'again', inSeconds: 0 };
  if (error instanceof JobFailedError) {
    const { failure, message: failureDetail, findings } = error;
    return { type: 'fail', outcome: { status: 'failed', failure, failureDetail, findings }, isFault: false };
  }
  const code = error instanceof RxscribeError ? error.code : undefined;
  // No engine is free.
  const passes = code === 'unavailable' || isStoreAway(error);
  if (passes && ageMs < ANSWER_TIMEOUT_MS) {
    return { type: 'again', inSeconds: Math.min(LONGEST_WAIT_SECONDS, 2 ** (tries - 1)) };
  }
  if (code === 'engine-failed') return fault('transcription', 'The engine failed');
  return fault('internal_processing', 'The service failed while the job was in progress');
}

function fault(failure: string, failureDetail: string): Verdict {
  return { type: 'fail', outcome: { status: 'failed', failure, failureDetail }, isFault: true };
}
