import type { SessionRun } from '../session/sessionRun.ts';

/** How often a connection broke or could not be had, so that another one was needed, however many tries that took. */
export function reconnectsOf({ statuses }: Pick<SessionRun, 'statuses'>): number {
  let count = 0;
  let isAway = false;
  for (const { value } of statuses) {
    if (value.type === 'connected') isAway = false;
    if (value.type !== 'reconnecting' || isAway) continue;
    isAway = true;
    count++;
  }
  return count;
}
