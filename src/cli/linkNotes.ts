import { messageOf } from '../base/errors.ts';
import type { StreamStatus } from '../client/stream/status.ts';
import { createDelayNotes } from './delayNotes.ts';
import { ofChannel } from './ofChannel.ts';

/** Where a stream stands; of channels that are streamed apart, which of them. */
export type LinkStatus = StreamStatus & { readonly channel?: number };

/**
 * What people are told of the connection, by channel: that it is gone, why, and that it is there again, and why a job
 * is not to be had yet. Each once; that all goes well is seen by the captions.
 */
export function createLinkNotes(): (status: LinkStatus) => string | undefined {
  const broken = new Set<number>();
  const delayNote = createDelayNotes();
  return status => {
    const note = noteOf(status, broken) ?? delayNote(status);
    return note === undefined ? undefined : ofChannel(status, note);
  };
}

function noteOf(status: LinkStatus, broken: Set<number>): string | undefined {
  const { channel = 0 } = status;
  switch (status.type) {
    case 'reconnecting': {
      if (broken.has(channel)) return undefined;
      broken.add(channel);
      return `connection lost, trying again: ${messageOf(status.error)}`;
    }
    case 'connected':
      return broken.delete(channel) ? 'connected again' : undefined;
    case 'fallback':
      return status.error === undefined ? undefined : `no longer live: ${messageOf(status.error)}`;
    case 'repairing':
      return `job ${status.jobId} transcribes what is missing`;
    default:
      return undefined;
  }
}
