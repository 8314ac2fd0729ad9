import { RxscribeError } from '../../base/errors.ts';
import type { AnyJob } from './jobTypes.ts';

/** Ends of jobs that are kept for those who ask later; of more, the oldest are forgotten. */
const MAX_KEPT = 1000;

/** Brings together the ends of jobs, which come at any time, and those who wait for them. */
export interface NotificationInbox {
  put(job: AnyJob): void;
  /** Resolves when the job has been put, earlier or later. */
  ended(id: string, options?: { readonly signal?: AbortSignal }): Promise<AnyJob>;
  /** Whoever waits is told that nothing comes any more. */
  close(): void;
}

export function createNotificationInbox(): NotificationInbox {
  const kept = new Map<string, AnyJob>();
  const waiting = new Map<string, Set<(job: AnyJob) => void>>();
  const closed = new AbortController();
  return {
    put(job) {
      kept.delete(job.id);
      kept.set(job.id, job);
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      for (const resolve of waiting.get(job.id) ?? []) resolve(job);
      waiting.delete(job.id);
    },
    async ended(id, { signal } = {}) {
      const known = kept.get(id);
      if (known) return known;
      const signals = AbortSignal.any(signal ? [closed.signal, signal] : [closed.signal]);
      signals.throwIfAborted();
      return new Promise((resolve, reject) => {
        const all = waiting.get(id) ?? new Set();
        waiting.set(id, all.add(resolve));
        const leave = () => {
          all.delete(resolve);
          // Nobody is left, and no others have come since it was told.
          if (all.size === 0 && waiting.get(id) === all) waiting.delete(id);
          reject(signals.reason);
        };
        signals.addEventListener('abort', leave, { once: true });
      });
    },
    close() {
      closed.abort(new RxscribeError('aborted', 'wait for a notification: the receiver was closed'));
    },
  };
}
