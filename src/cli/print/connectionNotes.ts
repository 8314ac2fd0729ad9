import { reasonOf } from '../../base/errors.ts';
import type { StreamStatus } from '../../client/stream/status.ts';

/** Status of a stream; of channels that have streams of their own, with the channel. */
export type ChannelStatus = StreamStatus & { readonly channel?: number };

/** Returns the note for a status, if there is one. */
export type NoteOf = (status: ChannelStatus) => string | undefined;

/**
 * Creates notes for people, by channel: a lost or failed connection with its reason, its recovery, and the reason why there is
 * no job yet. Each is noted once. Success is not noted, as the captions show it.
 */
export function createConnectionNotes(): NoteOf {
  const seen: Channels = { known: new Set(), broken: new Set() };
  const delayNote = createDelayNotes();
  return status => {
    const note = noteOf(status, seen) ?? delayNote(status);
    return note === undefined ? undefined : channelNote(status, note);
  };
}

/** Creates notes on jobs that cannot be submitted: one for each new reason of a channel. */
export function createDelayNotes(): NoteOf {
  const reasons = new Map<number, string>();
  return status => {
    if (status.type !== 'repair-delayed') return undefined;
    const { channel = 0, error } = status;
    const reason = reasonOf(error);
    if (reasons.get(channel) === reason) return undefined;
    reasons.set(channel, reason);
    return `Waiting to submit a job: ${reason}.`;
  };
}

/** Returns a note with its channel, where channels have streams of their own. */
export function channelNote({ channel }: { readonly channel?: number }, note: string): string {
  return channel === undefined ? note : `Channel ${channel}: ${note}`;
}

interface Channels {
  /** Channels that were connected at some time. */
  readonly known: Set<number>;
  /** Channels that are not connected now. */
  readonly broken: Set<number>;
}

function noteOf(status: ChannelStatus, { known, broken }: Channels): string | undefined {
  const { channel = 0 } = status;
  switch (status.type) {
    case 'reconnecting': {
      if (broken.has(channel)) return undefined;
      broken.add(channel);
      const problem = known.has(channel) ? 'Connection lost' : 'Cannot connect';
      return `${problem}: ${reasonOf(status.error)}. Trying again.`;
    }
    case 'switched': {
      const note = status.to === 'standby' ? 'The standby takes over' : 'The first service takes over again';
      return status.error === undefined || broken.has(channel)
        ? `${note}.`
        : `${note}: ${reasonOf(status.error)}.`;
    }
    case 'connected': {
      const note = known.has(channel) ? 'Connected again.' : 'Connected.';
      known.add(channel);
      return broken.delete(channel) ? note : undefined;
    }
    case 'fallback':
      return status.error === undefined
        ? undefined
        : `Live transcription has ended: ${reasonOf(status.error)}.`;
    case 'repairing':
      return `Job ${status.jobId} transcribes the missing parts.`;
    default:
      return undefined;
  }
}
