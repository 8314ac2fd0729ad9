import { type LiveOperator, liveOperator } from '../liveOperator.ts';
import { type ChannelLine, ChannelLines, type ChannelStatus } from './channelLines.ts';

export interface ChannelsApartOptions {
  /** Makes the stream of a channel, counted from 0, for audio of a single channel; called anew for each subscription. */
  readonly open: (channel: number) => ChannelLine;
  /** How many there are, when it is known ahead: then the streams begin before the first block. */
  readonly channels?: number;
}

/** An operator from audio of several channels to what is said in them; its status is that of all channels. */
export type ChannelsApart = LiveOperator<ChannelStatus>;

/**
 * Streams each channel by itself, and merges what is said in them: for channels that are speakers, each of which then
 * has a recogniser of its own, however much they talk at once.
 *
 * Finals, silences, holes and repairs come as they become known, each with its `channel`. Of the unfinished utterances one
 * is shown at a time: the first to begin, until it is settled. `connected` is that of channel 0. Speakers are numbered so
 * that those of different channels never meet (speaker `s` of channel `c` of `n` is `s * n + c`); where speakers are not
 * told apart, the speaker is the channel.
 *
 * The result completes after the last channel; when one fails, all end with its error. InvalidArgumentError when the
 * number of channels changes. A source that waits for a gate waits for the slowest channel, when all share the gate.
 *
 * @example
 * const live = channelsApart({ open: () => transcribe({ url: 'http://127.0.0.1:8080', token }) });
 * fromFile('interview.wav').pipe(live).subscribe(event => console.log(event));
 */
export function channelsApart({ open, channels }: ChannelsApartOptions): ChannelsApart {
  return liveOperator(handlers => {
    const lines = new ChannelLines(open, handlers);
    return {
      start: () => channels !== undefined && lines.start(channels),
      write: block => lines.write(block),
      finish: () => lines.finish(),
      fail: error => lines.fail(error),
      close: () => lines.close(),
    };
  });
}
