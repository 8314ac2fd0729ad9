import { defer, Observable, type OperatorFunction, ReplaySubject, Subject, takeUntil } from 'rxjs';
import type { AudioBlock } from '../../../audio/format.ts';
import type { LiveEvent } from '../../../transcript/events.ts';
import { type ChannelLine, ChannelLines, type ChannelStatus } from './channelLines.ts';

export interface ChannelsApartOptions {
  /** Makes the stream of a channel, counted from 0, for audio of a single channel; called anew for each subscription. */
  readonly open: (channel: number) => ChannelLine;
  /** How many there are, when it is known ahead: then the streams begin before the first block. */
  readonly channels?: number;
}

/** An operator from audio of several channels to what is said in them, which also says how it stands. */
export interface ChannelsApart extends OperatorFunction<AudioBlock, LiveEvent> {
  /** Of the latest subscription and all its channels: replays its latest value, completes with it, never fails. */
  readonly status$: Observable<ChannelStatus>;
}

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
  let current = new ReplaySubject<ChannelStatus>(1);
  let isTaken = false;

  const operator = (source: Observable<AudioBlock>) =>
    new Observable<LiveEvent>(subscriber => {
      if (isTaken) current = new ReplaySubject<ChannelStatus>(1);
      isTaken = true;
      const status = current;
      const stop$ = new Subject<void>();
      const lines = new ChannelLines(open, {
        event: event => subscriber.next(event),
        status: value => status.next(value),
        end(failure) {
          // First the source, so that a microphone is free again when somebody retries.
          stop$.next();
          status.complete();
          if (failure) subscriber.error(failure.error);
          else subscriber.complete();
        },
      });
      // Before the source is subscribed: all of it may come, and be unsubscribed, within that call.
      subscriber.add(() => {
        lines.close();
        stop$.next();
        status.complete();
      });
      if (channels !== undefined) lines.start(channels);
      source.pipe(takeUntil(stop$)).subscribe({
        next: block => lines.write(block),
        error: error => lines.fail(error),
        complete: () => lines.finish(),
      });
    });

  return Object.assign(operator, { status$: defer(() => current) });
}
