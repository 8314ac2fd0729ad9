import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';

/** Between two writes of how far a job is. */
export const PROGRESS_INTERVAL_MS = 2000;

export interface ProgressOptions {
  readonly store: OpenStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Notes how far a job is, in whole percent, which never go back; seldom enough that it costs nothing. In the background:
 * a note that cannot be written is only one less.
 */
export function createProgress(
  id: string,
  { store, clock, onError }: ProgressOptions,
): (fraction: number) => void {
  let noted = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return fraction => {
    const percent = Math.min(100, Math.floor(100 * fraction));
    if (!(percent > noted) || clock.now() < nextAt) return;
    noted = percent;
    nextAt = clock.now() + PROGRESS_INTERVAL_MS;
    store.db
      .updateTable('jobs')
      .set({ progress: percent })
      .where('id', '=', id)
      .where('status', '=', 'in_progress')
      .execute()
      .catch(onError);
  };
}
