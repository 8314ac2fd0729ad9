import { Subject, Subscription } from 'rxjs';
import { channelOf } from '../../../audio/format/channels.ts';
import { type AudioBlock, requireBlock } from '../../../audio/format/format.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';
import type { LiveEvent } from '../../../transcript/model/events.ts';
import type { LiveHandlers, LiveOperator } from '../liveOperator.ts';
import type { StreamStatus } from '../status.ts';
import { toChannel } from './channelEvent.ts';
import { emptyFloor, type FloorStep, leaveFloor, nextFloor } from './partialFloor.ts';

/** A live stream of one channel, as `transcribe` makes it. */
export type ChannelLine = LiveOperator<StreamStatus>;

/** Where the stream of one channel stands. */
export type ChannelStatus = StreamStatus & { readonly channel: number };

/** The streams of all channels of one source: they begin together, and the failure of one ends all. */
export class ChannelLines {
  readonly #open: (channel: number) => ChannelLine;
  readonly #handlers: LiveHandlers<ChannelStatus>;
  readonly #subscriptions = new Subscription();
  #inputs: readonly Subject<AudioBlock>[] = [];
  #running = 0;
  #floor = emptyFloor;
  #hasEnded = false;

  constructor(open: (channel: number) => ChannelLine, handlers: LiveHandlers<ChannelStatus>) {
    this.#open = open;
    this.#handlers = handlers;
  }

  /** To be called once; the first block does it, where nobody knew before how many channels there are. */
  start(channels: number): void {
    try {
      const lines = Array.from({ length: channels }, (_, channel) => this.#open(channel));
      this.#inputs = lines.map(() => new Subject<AudioBlock>());
      this.#running = channels;
      for (const [channel, line] of lines.entries()) this.#follow(line, channel);
    } catch (error) {
      this.#end({ error });
    }
  }

  write(block: AudioBlock): void {
    if (this.#hasEnded) return;
    try {
      requireBlock('transcribe', block);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#inputs.length === 0) this.start(block.channels);
    const { channels, samples, startFrame } = block;
    if (channels !== this.#inputs.length) {
      const wanted = `wanted ${this.#inputs.length} throughout, found ${channels} at frame ${startFrame}`;
      this.fail(new InvalidArgumentError(`stream channels apart: ${wanted}`));
      return;
    }
    for (const [channel, input] of this.#inputs.entries()) {
      input.next({ ...block, channels: 1, samples: channelOf(samples, channels, channel) });
    }
  }

  /** The source has ended. */
  finish(): void {
    if (this.#hasEnded) return;
    // Without any audio one line says so.
    if (this.#inputs.length === 0) this.start(1);
    for (const input of this.#inputs) input.complete();
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // Through a line, so that there is a status, too.
    if (this.#inputs.length === 0) this.start(1);
    this.#inputs[0]?.error(error);
    this.#end({ error });
  }

  /** Ends all lines at once; idempotent. */
  close(): void {
    this.#subscriptions.unsubscribe();
    this.#hasEnded = true;
  }

  #follow(line: ChannelLine, channel: number): void {
    if (this.#hasEnded) return;
    const place = { channel, channels: this.#inputs.length };
    // Not among the subscriptions: it completes by itself, after the last word of a line that is closed.
    line.status$.subscribe(status => {
      if (this.#hasEnded) return;
      // Of an utterance that the connection broke off nothing comes before there is another one.
      if (status.type === 'reconnecting' || status.type === 'fallback') {
        this.#show(leaveFloor(this.#floor, channel));
      }
      this.#handlers.status({ ...status, channel });
    });
    const events = this.#inputs[channel]!.pipe(line).subscribe({
      next: event => this.#take(event, place),
      error: error => this.#end({ error }),
      complete: () => this.#leave(channel),
    });
    this.#subscriptions.add(events);
  }

  #take(event: LiveEvent, place: { readonly channel: number; readonly channels: number }): void {
    // There is one transcript, which has one id.
    if (event.type === 'connected' && place.channel > 0) return;
    this.#show(nextFloor(this.#floor, toChannel(event, place)));
  }

  #leave(channel: number): void {
    this.#show(leaveFloor(this.#floor, channel));
    this.#running--;
    if (this.#running === 0) this.#end();
  }

  #show({ floor, events }: FloorStep): void {
    this.#floor = floor;
    for (const event of events) this.#handlers.event(event);
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.close();
    this.#handlers.end(failure);
  }
}
