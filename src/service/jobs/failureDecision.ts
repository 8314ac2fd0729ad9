import { RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../store/jobRecord.ts';
import { isStoreUnavailable } from '../store/untilReachable.ts';
import { JobFailedError } from './task.ts';

/** The decision about a job whose task threw. */
export type FailureDecision =
  | {
      readonly type: 'fail';
      readonly outcome: JobFailure;
      /** True when the service is at fault. */
      readonly isFault: boolean;
    }
  | { readonly type: 'again'; readonly inSeconds: number };

/** An attempt whose task threw. */
export interface FailedAttempt {
  /** True when the service stops, or another process has claimed the job. */
  readonly isAborted: boolean;
  /** Attempts so far, this one included. */
  readonly tries: number;
  readonly ageMs: number;
}

/** Milliseconds after which an error that may be temporary counts as permanent. */
export const RETRY_WINDOW_MS = 24 * 3_600_000;
const LONGEST_WAIT_SECONDS = 60;

/** Decides about an error of a task. Users see only messages meant for them, never those of faults. */
export function decideOnFailure(error: unknown, { isAborted, tries, ageMs }: FailedAttempt): FailureDecision {
  if (isAborted) return { type: 'again', inSeconds: 0 };
  if (error instanceof JobFailedError) {
    const { failure, message: failureDetail, findings } = error;
    return { type: 'fail', outcome: { status: 'failed', failure, failureDetail, findings }, isFault: false };
  }
  const code = error instanceof RxscribeError ? error.code : undefined;
  // `unavailable`: no engine is free.
  const passes = code === 'unavailable' || isStoreUnavailable(error);
  if (passes && ageMs < RETRY_WINDOW_MS) {
    return { type: 'again', inSeconds: Math.min(LONGEST_WAIT_SECONDS, 2 ** (tries - 1)) };
  }
  if (code === 'engine-failed') return fault('transcription', 'The engine failed.');
  return fault('internal_processing', 'The service failed while the job was in progress.');
}

function fault(failure: string, failureDetail: string): FailureDecision {
  return { type: 'fail', outcome: { status: 'failed', failure, failureDetail }, isFault: true };
}
