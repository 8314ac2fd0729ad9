import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { isRetryable } from '../serviceErrors.ts';
import type { AnyJob } from './jobTypes.ts';
import type { NotificationReceiver } from './notificationReceiver.ts';
import { JobFailedError, NotFoundError } from './requestErrors.ts';

export interface WaitOptions<SomeJob> {
  /** Aborting it ends the wait, but not the job. */
  readonly signal?: AbortSignal;
  /** Longest wait. Default: no limit. */
  readonly timeoutMs?: number;
  /** Longest time for which retryable errors are tolerated: a service that restarts, is unreachable, or busy. Default 120,000. */
  readonly maxOutageMs?: number;
  /** Called with the job after each poll. */
  readonly onProgress?: (job: SomeJob) => void;
  /** The receiver given as `notification` of the submission. Default: the job is polled. */
  readonly receiver?: Pick<NotificationReceiver, 'ended'>;
}

/** Defaults of {@link WaitOptions}. */
export const WAIT_DEFAULTS = { timeoutMs: Number.POSITIVE_INFINITY, maxOutageMs: 120_000 } as const;

/** Milliseconds between polls while waiting for a notification, which may get lost. */
const SAFETY_POLL_MS = 60_000;

/** Milliseconds to wait for the notification of a job that is gone: enough for a second attempt to deliver it. */
const LATE_NOTIFICATION_MS = 15_000;

/** An area whose jobs can be waited for. */
export interface WaitedArea<SomeJob> {
  /** Status of jobs that are done. */
  readonly doneStatus: string;
  readonly clock: Clock;
  get(id: string, options: { readonly signal?: AbortSignal }): Promise<SomeJob>;
}

/**
 * Resolves when a job is done.
 *
 * @throws JobFailedError when the job failed; RxscribeError `timeout`; the signal's reason; errors that are not retryable
 */
export async function waitForEnd<SomeJob extends AnyJob>(
  area: WaitedArea<SomeJob>,
  id: string,
  options: WaitOptions<SomeJob> = {},
): Promise<SomeJob> {
  const { timeoutMs = WAIT_DEFAULTS.timeoutMs, signal } = namedOptions('WaitOptions', options);
  const over = new AbortController();
  const cancelTimeout = area.clock.schedule(timeoutMs, () => {
    const message = `Job '${id}' has not ended within ${timeoutMs / 1000} s.`;
    over.abort(new RxscribeError('timeout', message));
  });
  const both = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  try {
    const job = await watch(area, id, { ...options, signal: both });
    if (job.status === area.doneStatus) return job;
    throw new JobFailedError(job);
  } finally {
    cancelTimeout();
    // Removes the waiter at the receiver.
    over.abort();
  }
}

/** Polls a job until it is no longer in progress. */
async function watch<SomeJob extends AnyJob>(
  { clock, get }: WaitedArea<SomeJob>,
  id: string,
  options: WaitOptions<SomeJob> & { readonly signal: AbortSignal },
): Promise<SomeJob> {
  const { onProgress, receiver, signal, maxOutageMs = WAIT_DEFAULTS.maxOutageMs } = options;
  let notifiedJob: AnyJob | undefined;
  // Pending while a notification may arrive; without one, the job is polled at the normal rate.
  let notification = receiver?.ended(id, { signal }).then(
    job => {
      notifiedJob = job;
    },
    () => {},
  );
  void notification?.then(() => {
    notification = undefined;
  });
  const getJob = () =>
    get(id, { signal }).catch(async error => {
      if (!(error instanceof NotFoundError)) throw error;
      // The result of a job that is deleted at its end is only in its notification, which may still arrive.
      if (notification !== undefined)
        await delayUnless(notification, LATE_NOTIFICATION_MS, { clock, signal });
      if (notifiedJob) return notifiedJob as SomeJob;
      throw error;
    });
  for (let round = 0; ; ) {
    const job = await throughOutage(getJob, { signal, maxOutageMs, clock });
    onProgress?.(job);
    if (job.status !== 'in_progress') return job;
    if (notification !== undefined) await delayUnless(notification, SAFETY_POLL_MS, { clock, signal });
    else await delay(pollDelayMs(round++), { clock, signal });
  }
}

/** Resolves after a delay, or earlier when the promise resolves. */
async function delayUnless(
  happened: Promise<unknown>,
  delayMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const enough = new AbortController();
  const waited = delay(delayMs, { clock, signal: AbortSignal.any([enough.signal, signal]) });
  await Promise.race([waited, happened]).finally(() => enough.abort());
}

export interface OutageOptions {
  readonly signal?: AbortSignal;
  /** Longest time for which retryable errors are tolerated. */
  readonly maxOutageMs: number;
  readonly clock: Clock;
}

/**
 * Repeats an attempt until it succeeds, while its errors are retryable: a service that restarts, is unreachable, or busy. Honours
 * the delay that the service asks for.
 *
 * @throws an error that is not retryable, or the last one after the timeout; the signal's reason
 */
export async function throughOutage<T>(attempt: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { signal, maxOutageMs, clock } = options;
  const startedAt = clock.now();
  for (let round = 0; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error)) throw error;
      const delayMs = Math.max(pollDelayMs(round), (error.retryAfterSeconds ?? 0) * 1000);
      if (clock.now() + delayMs - startedAt > maxOutageMs) throw error;
      await delay(delayMs, { clock, signal });
    }
  }
}

/** Milliseconds between polls of a job, growing from round to round. */
const POLL_MS = { first: 250, longest: 15_000, factor: 1.5 } as const;
/** Random fraction of a delay, up or down, which spreads clients that started together. */
const JITTER = 0.2;

/**
 * Returns the milliseconds until the next poll of a job.
 *
 * @param round number of earlier polls
 */
function pollDelayMs(round: number, random = Math.random): number {
  const { first, longest, factor } = POLL_MS;
  return Math.min(longest, first * factor ** round) * (1 + JITTER * (2 * random() - 1));
}
