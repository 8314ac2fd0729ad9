import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { mayPass } from '../serviceErrors.ts';
import type { AnyJob } from './jobTypes.ts';
import type { NotificationReceiver } from './notificationReceiver.ts';
import { JobFailedError, NotFoundError } from './requestErrors.ts';

export interface WaitOptions<SomeJob> {
  /** Aborting ends the wait, not the job. */
  readonly signal?: AbortSignal;
  /** Default: as long as it takes. */
  readonly timeoutMs?: number;
  /** How long faults that may pass are waited out: a service that restarts, is not reached, is busy. Default 120,000. */
  readonly maxOutageMs?: number;
  /** Called with the job at each look at it. */
  readonly onProgress?: (job: SomeJob) => void;
  /** The receiver that was the `notification` of the submission. Default: the job is looked at again and again. */
  readonly receiver?: Pick<NotificationReceiver, 'ended'>;
}

/** Defaults of {@link WaitOptions}. */
export const WAIT_DEFAULTS = { timeoutMs: Number.POSITIVE_INFINITY, maxOutageMs: 120_000 } as const;

/** Between two looks at a job whose end a receiver is to be told of: notifications get lost, too. */
const SAFETY_POLL_MS = 60_000;

/** How long after a job has gone its notification may come: time for a second try. */
const LATE_NOTIFICATION_MS = 15_000;

/** Jobs that can be waited for. */
export interface WaitedArea<SomeJob> {
  /** What its jobs call their state when they ended well. */
  readonly doneWord: string;
  readonly clock: Clock;
  get(id: string, options: { readonly signal?: AbortSignal }): Promise<SomeJob>;
}

/**
 * Waits until a job has ended well.
 *
 * @throws JobFailedError when it has ended otherwise; RxscribeError `timeout`; the signal's reason; the error of a fault
 * that does not pass
 */
export async function waitForEnd<SomeJob extends AnyJob>(
  area: WaitedArea<SomeJob>,
  id: string,
  options: WaitOptions<SomeJob> = {},
): Promise<SomeJob> {
  const { timeoutMs = WAIT_DEFAULTS.timeoutMs, signal } = options;
  const over = new AbortController();
  const cancelTimeout = area.clock.schedule(timeoutMs, () => {
    const message = `wait for job ${id}: wanted its end within ${timeoutMs / 1000} s, found it in progress`;
    over.abort(new RxscribeError('timeout', message));
  });
  const both = AbortSignal.any(signal ? [over.signal, signal] : [over.signal]);
  try {
    const job = await watch(area, id, { ...options, signal: both });
    if (job.status === area.doneWord) return job;
    throw new JobFailedError(job);
  } finally {
    cancelTimeout();
    // Whoever still listens to a receiver goes.
    over.abort();
  }
}

/** Looks at a job until it is no longer in progress. */
async function watch<SomeJob extends AnyJob>(
  { clock, get }: WaitedArea<SomeJob>,
  id: string,
  options: WaitOptions<SomeJob> & { readonly signal: AbortSignal },
): Promise<SomeJob> {
  const { onProgress, receiver, signal, maxOutageMs = WAIT_DEFAULTS.maxOutageMs } = options;
  let told: AnyJob | undefined;
  // Until then a notification may come; also when none can, the job is looked at as any other.
  let toldAll = receiver?.ended(id, { signal }).then(
    job => {
      told = job;
    },
    () => {},
  );
  void toldAll?.then(() => {
    toldAll = undefined;
  });
  const look = () =>
    get(id, { signal }).catch(async error => {
      if (!(error instanceof NotFoundError)) throw error;
      // A job that is deleted as soon as it ends is known by its notification only, which may be on its way.
      if (toldAll) await delayUnless(toldAll, LATE_NOTIFICATION_MS, { clock, signal });
      if (told) return told as SomeJob;
      throw error;
    });
  for (let round = 0; ; ) {
    const job = await throughOutage(look, { signal, maxOutageMs, clock });
    onProgress?.(job);
    if (job.status !== 'in_progress') return job;
    if (toldAll) await delayUnless(toldAll, SAFETY_POLL_MS, { clock, signal });
    else await delay(pollDelayMs(round++), { clock, signal });
  }
}

/** Waits until one or the other: the delay is over, or something has happened. */
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
  /** How long faults that may pass are waited out. */
  readonly maxOutageMs: number;
  readonly clock: Clock;
}

/**
 * Tries until it succeeds, as long as what goes wrong may pass: a service that restarts, is not reached or is busy. A
 * service that asks to be left alone for a while is.
 *
 * @throws the error of a fault that does not pass, or the last one when the time is over; the signal's reason
 */
export async function throughOutage<T>(attempt: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { signal, maxOutageMs, clock } = options;
  const startedAt = clock.now();
  for (let round = 0; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error)) throw error;
      const delayMs = Math.max(pollDelayMs(round), (error.retryAfterSeconds ?? 0) * 1000);
      if (clock.now() + delayMs - startedAt > maxOutageMs) throw error;
      await delay(delayMs, { clock, ...(signal && { signal }) });
    }
  }
}

/** Milliseconds between two looks at a job: short ones first, for short jobs. */
const POLL_MS = { first: 1000, longest: 15_000, factor: 1.5 } as const;
/** Of a delay, up or down, so that many who began together do not ask together. */
const JITTER = 0.2;

/**
 * Milliseconds to wait before the next look at a job.
 *
 * @param round how often it has been looked at before, from 0
 */
export function pollDelayMs(round: number, random = Math.random): number {
  const { first, longest, factor } = POLL_MS;
  return Math.min(longest, first * factor ** round) * (1 + JITTER * (2 * random() - 1));
}
