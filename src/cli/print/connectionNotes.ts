import { messageOf } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';
import { createDelayNotes } from './delayNotes.ts';
import { ofChannel } from './ofChannel.ts';

/** Where a stream stands; of channels that are streamed apart, which of them. */
export type LinkStatus = StreamStatus & { readonly channel?: number };

/**
 * Notes on the connection for people, by channel: that it is lost or cannot be made, why, and that it is there again, and
 * why there is no job yet. Each once; that all goes well is seen by the captions.
 */
export function createLinkNotes(): (status: LinkStatus) => string | undefined {
  const links: Links = { known: new Set(), broken: new Set() };
  const delayNote = createDelayNotes();
  return status => {
    const note = noteOf(status, links) ?? delayNote(status);
    return note === undefined ? undefined : ofChannel(status, note);
  };
}

/** Channels that were connected at some time, and those that are to be connected. */
interface Links {
  readonly known: Set<number>;
  readonly broken: Set<number>;
}

function noteOf(status: LinkStatus, { known, broken }: Links): string | undefined {
  const { channel = 0 } = status;
  switch (status.type) {
    case 'reconnecting': {
      if (broken.has(channel)) return undefined;
      broken.add(channel);
      const what = known.has(channel) ? 'connection lost' : 'cannot connect';
      return `${what}, trying again: ${messageOf(status.error)}`;
    }
    case 'connected': {
      const note = known.has(channel) ? 'connected again' : 'connected';
      known.add(channel);
      return broken.delete(channel) ? note : undefined;
    }
    case 'fallback':
      return status.error === undefined ? undefined : `no longer live: ${messageOf(status.error)}`;
    case 'repairing':
      return `job ${status.jobId} transcribes what is missing`;
    default:
      return undefined;
  }
}
