import {
  catchError,
  concat,
  defer,
  EMPTY,
  endWith,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  type Observable,
  Subject,
  Subscription,
  scan,
  takeUntil,
} from 'rxjs';
import { channelOf } from '../../../audio/format/channels.ts';
import { type AudioBlock, MIXED, requireBlock } from '../../../audio/format/format.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import type { LiveEvent } from '../../../transcript/model/events.ts';
import {
  type AudioInput,
  type LiveOperator,
  liveOperator,
  type StreamFailure,
  type StreamListener,
} from '../liveOperator.ts';
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
  return liveOperator(listener => openChannels(options, listener), options.signal);
}

/** The stream of a channel, and its audio. */
interface ChannelInput {
  readonly stream: ChannelStream;
  readonly audio$: Subject<AudioBlock>;
}

/** Opens the streams of all channels of one source: they begin together, and the failure of one ends all. */
function openChannels(options: ChannelsApartOptions, listener: StreamListener<ChannelStatus>): AudioInput {
  const subscriptions = new Subscription();
  let inputs: readonly ChannelInput[] = [];
  let isOver = false;
  let hasFailed = false;

  const end = (failure?: StreamFailure) => {
    if (isOver) return;
    // Set first, so that the streams closed below report nothing.
    isOver = true;
    subscriptions.unsubscribe();
    listener({ type: 'end', ...(failure && { failure }) });
  };
  const begin = (count: number) => {
    try {
      inputs = Array.from({ length: count }, (_, channel) => ({
        stream: options.open(channel),
        audio$: new Subject<AudioBlock>(),
      }));
      const statuses = inputs.map(({ stream }, channel) =>
        stream.status$.pipe(map(status => ({ ...status, channel }))),
      );
      // Not added to the subscriptions, which end before the last status of a closed stream.
      merge(...statuses).subscribe(status => {
        if (isOver || hasFailed) return;
        // The others fail because of this one.
        hasFailed = status.type === 'failed';
        listener({ type: 'status', status });
      });
      subscriptions.add(
        eventsOf(inputs).subscribe({
          next: event => listener({ type: 'transcript', event }),
          error: error => end({ error }),
          complete: () => end(),
        }),
      );
    } catch (error) {
      end({ error });
    }
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    // The error goes through a stream, which reports it as its status as well; its failure ends the others.
    if (inputs.length === 0) begin(1);
    inputs[0]?.audio$.error(error);
  };
  return {
    start() {
      if (options.channels !== undefined) begin(options.channels);
    },
    write(block) {
      if (isOver) return;
      try {
        requireBlock('transcribe', block);
        checkChannels(block, inputs.length);
      } catch (error) {
        return fail(error);
      }
      const { channels, samples } = block;
      if (inputs.length === 0) begin(channels);
      for (const [channel, { audio$ }] of inputs.entries()) {
        audio$.next({ ...block, channels: 1, samples: channelOf(samples, channels, channel) });
      }
    },
    finish() {
      if (isOver) return;
      // Without any audio a single stream reports that.
      if (inputs.length === 0) begin(1);
      for (const { audio$ } of inputs) audio$.complete();
    },
    fail,
    close() {
      subscriptions.unsubscribe();
      isOver = true;
    },
  };
}

/**
 * Returns the events of all channels. Of their unfinished utterances, one is shown at a time. The failure of a channel ends
 * the others as well; it comes last.
 */
function eventsOf(inputs: readonly ChannelInput[]): Observable<LiveEvent> {
  let failure: StreamFailure | undefined;
  const channels = inputs.map(({ stream, audio$ }, channel): Observable<ChannelEvent> => {
    const place = { channel, channels: inputs.length };
    const over$ = new Subject<void>();
    // The utterance that a broken connection cut off gets no more events before the next connection.
    const broken$ = stream.status$.pipe(
      filter(({ type }) => type === 'reconnecting' || type === 'fallback'),
      takeUntil(over$),
    );
    const events$ = audio$.pipe(
      stream,
      // One transcript has one id.
      filter(({ type }) => type !== 'connected' || channel === 0),
      map(event => ({ channel, event: toChannel(event, place) })),
      endWith({ channel }),
      finalize(() => over$.next()),
    );
    return merge(broken$.pipe(map(() => ({ channel }))), events$).pipe(
      catchError(error => {
        failure ??= { error };
        // Each of them reports its audio without text as a hole.
        for (const other of inputs) other.audio$.error(error);
        return EMPTY;
      }),
    );
  });
  const failure$ = defer(() => {
    if (failure) throw failure.error;
    return EMPTY;
  });
  return concat(merge(...channels), failure$).pipe(
    scan(
      ({ selection }: SelectionStep, { channel, event }) =>
        event ? nextSelection(selection, event) : removeChannel(selection, channel),
      { selection: emptySelection, events: [] },
    ),
    mergeMap(({ events }) => events),
  );
}

/** Rejects a block that cannot be cut into the known channels; 0 before the first block. */
function checkChannels({ channels, startFrame, [MIXED]: isMixed }: AudioBlock, known: number): void {
  if (isMixed) {
    throw new InvalidArgumentError(
      "Cannot stream channels apart: resample() has mixed them to one. Use resample({ channels: 'keep' }).",
    );
  }
  if (known === 0 || channels === known) return;
  const message = `Cannot stream ${channels} channels from frame ${startFrame} on: the stream began with ${known}.`;
  throw new InvalidArgumentError(message);
}

/** An event of a channel; without one, its utterance gets no further events for now. */
interface ChannelEvent {
  readonly channel: number;
  readonly event?: LiveEvent;
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
