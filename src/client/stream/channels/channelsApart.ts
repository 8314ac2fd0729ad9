import { Subject, Subscription } from 'rxjs';
import { channelOf } from '../../../audio/format/channels.ts';
import { type AudioBlock, MIXED, requireBlock } from '../../../audio/format/format.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import type { LiveEvent } from '../../../transcript/model/events.ts';
import { type AudioInput, type LiveOperator, liveOperator, type StreamListener } from '../liveOperator.ts';
import type { StreamStatus } from '../status.ts';
import { emptySelection, nextSelection, removeChannel, type SelectionStep } from './shownPartial.ts';

/** A live stream of one channel, as `transcribe` makes it. */
export type ChannelStream = LiveOperator<StreamStatus>;

/** The status of the stream of one channel. */
export type ChannelStatus = StreamStatus & { readonly channel: number };

export interface ChannelsApartOptions {
  /** Creates the stream of a channel, counted from 0, for audio of a single channel; called for each subscription. */
  readonly open: (channel: number) => ChannelStream;
  /** The number of channels, when it is known ahead: then the streams begin before the first block. */
  readonly channels?: number;
  /** Ends the streams with its reason. */
  readonly signal?: AbortSignal;
}

/** An operator from audio of several channels to their transcript events; its status is that of all channels. */
export type ChannelsApart = LiveOperator<ChannelStatus>;

/**
 * Streams each channel on its own and merges the events: for channels that are speakers, each of which then has its own
 * recogniser, however much they talk at once.
 *
 * Finals, silences, holes and repairs come as they become known, each with its `channel`. Of the unfinished utterances one
 * is shown at a time: the first to begin, until it is settled. `connected` is that of channel 0. Speakers are numbered so
 * that those of different channels never meet (speaker `s` of channel `c` of `n` is `s * n + c`); without diarization the
 * speaker is the channel.
 *
 * The result completes after the last channel; when one fails, all end with its error. InvalidArgumentError when the
 * number of channels changes. A source that can wait does so for the slowest channel.
 *
 * @example
 * const live = channelsApart({ open: () => transcribe({ url: 'http://127.0.0.1:8080', token }) });
 * fromFile('interview.wav').pipe(live).subscribe(event => console.log(event));
 */
export function channelsApart(options: ChannelsApartOptions): ChannelsApart {
  return liveOperator(listener => new ChannelStreams(options, listener), options.signal);
}

/** The streams of all channels of one source: they begin together, and the failure of one ends all. */
class ChannelStreams implements AudioInput {
  readonly #options: ChannelsApartOptions;
  readonly #listener: StreamListener<ChannelStatus>;
  readonly #subscriptions = new Subscription();
  #inputs: readonly Subject<AudioBlock>[] = [];
  #running = 0;
  #selection = emptySelection;
  #hasEnded = false;

  constructor(options: ChannelsApartOptions, listener: StreamListener<ChannelStatus>) {
    this.#options = options;
    this.#listener = listener;
  }

  start(): void {
    const { channels } = this.#options;
    if (channels !== undefined) this.#begin(channels);
  }

  write(block: AudioBlock): void {
    if (this.#hasEnded) return;
    try {
      requireBlock('transcribe', block);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (block[MIXED]) {
      this.fail(
        new InvalidArgumentError(
          "Cannot stream channels apart: resample() has mixed them to one. Use resample({ channels: 'keep' }).",
        ),
      );
      return;
    }
    if (this.#inputs.length === 0) this.#begin(block.channels);
    const { channels, samples, startFrame } = block;
    if (channels !== this.#inputs.length) {
      const message =
        `Cannot stream ${channels} channels from frame ${startFrame} on: ` +
        `the stream began with ${this.#inputs.length}.`;
      this.fail(new InvalidArgumentError(message));
      return;
    }
    for (const [channel, input] of this.#inputs.entries()) {
      input.next({ ...block, channels: 1, samples: channelOf(samples, channels, channel) });
    }
  }

  finish(): void {
    if (this.#hasEnded) return;
    // Without any audio a single stream reports that.
    if (this.#inputs.length === 0) this.#begin(1);
    for (const input of this.#inputs) input.complete();
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // The error goes through a stream, so that there is a status as well.
    if (this.#inputs.length === 0) this.#begin(1);
    this.#inputs[0]?.error(error);
    this.#end({ error });
  }

  /** Ends all streams at once; idempotent. */
  close(): void {
    this.#subscriptions.unsubscribe();
    this.#hasEnded = true;
  }

  #begin(channels: number): void {
    try {
      const streams = Array.from({ length: channels }, (_, channel) => this.#options.open(channel));
      this.#inputs = streams.map(() => new Subject<AudioBlock>());
      this.#running = channels;
      for (const [channel, stream] of streams.entries()) this.#follow(stream, channel);
    } catch (error) {
      this.#end({ error });
    }
  }

  #follow(stream: ChannelStream, channel: number): void {
    if (this.#hasEnded) return;
    const place = { channel, channels: this.#inputs.length };
    // Not one of the subscriptions: it completes by itself, after the last status of a stream that is closed.
    stream.status$.subscribe(status => {
      if (this.#hasEnded) return;
      // The utterance that a broken connection cut off gets no more events before the next connection.
      if (status.type === 'reconnecting' || status.type === 'fallback') {
        this.#show(removeChannel(this.#selection, channel));
      }
      this.#listener({ type: 'status', status: { ...status, channel } });
    });
    const events = this.#inputs[channel]!.pipe(stream).subscribe({
      next: event => this.#take(event, place),
      error: error => this.#end({ error }),
      complete: () => this.#leave(channel),
    });
    this.#subscriptions.add(events);
  }

  #take(event: LiveEvent, place: ChannelPlace): void {
    // One transcript has one id.
    if (event.type === 'connected' && place.channel > 0) return;
    this.#show(nextSelection(this.#selection, toChannel(event, place)));
  }

  #leave(channel: number): void {
    this.#show(removeChannel(this.#selection, channel));
    this.#running--;
    if (this.#running === 0) this.#end();
  }

  #show({ selection, events }: SelectionStep): void {
    this.#selection = selection;
    for (const event of events) this.#listener({ type: 'transcript', event });
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    // First this: the streams that are closed now report nothing any more.
    this.#hasEnded = true;
    this.close();
    this.#listener({ type: 'end', ...(failure && { failure }) });
  }
}

/** One channel of several. */
interface ChannelPlace {
  /** From 0. */
  readonly channel: number;
  readonly channels: number;
}

/**
 * Returns an event of a stream of one channel as an event of all channels.
 *
 * Speaker `s` of channel `c` becomes `s * channels + c`: speakers of different channels never meet, however many there
 * are, and without diarization a channel is a speaker.
 */
function toChannel(event: LiveEvent, { channel, channels }: ChannelPlace): LiveEvent {
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
