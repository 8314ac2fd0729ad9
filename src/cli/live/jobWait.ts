import { combineLatest, filter, map, type Observable, take } from 'rxjs';
import type { StreamStatus } from '../../client/stream/status.ts';

/** Emits once: when the source is over, and a job is still waited for. */
export function jobWait(
  sourceOver$: Observable<boolean>,
  status$: Observable<StreamStatus>,
): Observable<unknown> {
  const isWaiting$ = status$.pipe(
    filter(({ type }) => type === 'repairing' || type === 'repair-delayed' || type === 'repaired'),
    map(({ type }) => type !== 'repaired'),
  );
  return combineLatest([sourceOver$, isWaiting$]).pipe(
    filter(([isOver, isWaiting]) => isOver && isWaiting),
    take(1),
  );
}
