import { messageOf } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';

/** What people are told while a job cannot be had: why, by channel, once a reason, however often it is tried again. */
export function createDelayNotes(): (
  status: StreamStatus & { readonly channel?: number },
) => string | undefined {
  const told = new Map<number, string>();
  return status => {
    if (status.type !== 'repair-delayed') return undefined;
    const { channel = 0, error } = status;
    const reason = messageOf(error);
    if (told.get(channel) === reason) return undefined;
    told.set(channel, reason);
    return `waiting: ${reason}`;
  };
}
