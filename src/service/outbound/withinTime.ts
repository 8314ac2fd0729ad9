import type { Clock } from '../../base/clock.ts';
import { tooLate } from './outboundError.ts';

export interface TimeLimit {
  readonly timeoutMs: number;
  /** What is late when the time is over, for the error. */
  readonly wanted: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** Does something with a signal that is also aborted, with an OutboundError, when the time is over. */
export async function withinTime<T>(
  { timeoutMs, wanted, clock, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.schedule(timeoutMs, () => late.abort(tooLate(wanted, timeoutMs)));
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    cancel();
  }
}
