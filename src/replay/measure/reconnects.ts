import type { SessionRun } from '../session/sessionRun.ts';

/** How often another connection was tried after one had broken, or could not be had. */
export function reconnectsOf({ statuses }: Pick<SessionRun, 'statuses'>): number {
  return statuses.filter(({ value }) => value.type === 'reconnecting').length;
}
