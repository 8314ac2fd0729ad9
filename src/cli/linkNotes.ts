import { messageOf } from '../base/errors.ts';
import type { StreamStatus } from '../client/stream/status.ts';

/**
 * What people are told of the connection: that it is gone, why, and that it is there again. Each once; that all goes well
 * is seen by the captions.
 */
export function createLinkNotes(): (status: StreamStatus) => string | undefined {
  let isBroken = false;
  const delayNote = createDelayNote();
  return status => {
    switch (status.type) {
      case 'reconnecting': {
        if (isBroken) return undefined;
        isBroken = true;
        return `connection lost, trying again: ${messageOf(status.error)}`;
      }
      case 'connected': {
        if (!isBroken) return undefined;
        isBroken = false;
        return 'connected again';
      }
      case 'fallback':
        return status.error === undefined ? undefined : `no longer live: ${messageOf(status.error)}`;
      case 'repairing':
        return `job ${status.jobId} transcribes what is missing`;
      default:
        return delayNote(status);
    }
  };
}

/** What people are told while a job cannot be had: why, once a reason, however often it is tried again. */
export function createDelayNote(): (status: StreamStatus) => string | undefined {
  let last = '';
  return status => {
    if (status.type !== 'repair-delayed') return undefined;
    const reason = messageOf(status.error);
    if (reason === last) return undefined;
    last = reason;
    return `waiting: ${reason}`;
  };
}
