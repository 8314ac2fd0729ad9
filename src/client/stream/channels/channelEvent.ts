import type { LiveEvent } from '../../../transcript/model/events.ts';

/** Which channel, of how many. */
export interface ChannelPlace {
  /** From 0. */
  readonly channel: number;
  readonly channels: number;
}

/**
 * An event of a stream of one channel as one of all channels.
 *
 * Speaker `s` of channel `c` becomes `s * channels + c`: speakers of different channels never meet, however many there
 * are, and where nobody tells speakers apart a channel is a speaker.
 */
export function toChannel(event: LiveEvent, { channel, channels }: ChannelPlace): LiveEvent {
  const numbered = (speaker = 0) => speaker * channels + channel;
  switch (event.type) {
    case 'connected':
      return event;
    case 'final':
      return { ...event, channel, speaker: numbered(event.speaker) };
    case 'repair': {
      const monologues = event.monologues.map(turn => ({ ...turn, speaker: numbered(turn.speaker) }));
      return { ...event, channel, monologues };
    }
    default:
      return { ...event, channel };
  }
}
