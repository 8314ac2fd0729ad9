import { Subject, Subscription } from 'rxjs';
import { type AudioBlock, framesOf } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import { createTimer, type Timer } from '../../base/wait/timer.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Failure, LiveOperator } from './liveOperator.ts';
import type { StreamStatus } from './status.ts';

/** Seconds of audio that are kept until a service has accepted a session. */
const MAX_UNHEARD_SECONDS = 60;

export interface RolledSessionOptions<Status> {
  readonly stream: LiveOperator<Status>;
  /** Frame of the source that is frame 0 of the session. */
  readonly originFrame: number;
  /** Milliseconds that the next session waits for the end of this one. */
  readonly holdMs: number;
  readonly clock: Clock;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onStatus: (status: Status) => void;
  /** Called when the service is ready for the session. */
  readonly onAccepted: () => void;
  /** Called when the next session need not wait any longer. */
  readonly onOvertaken: () => void;
  readonly onEnd: (failure?: Failure) => void;
}

/** One of several sessions of a source: holds its events back until those of the sessions before it are there. */
export class RolledSession<Status extends StreamStatus> {
  /** True when the next session has not waited for the end of this one. */
  isOvertaken = false;
  readonly #options: RolledSessionOptions<Status>;
  readonly #input = new Subject<AudioBlock>();
  readonly #events = new Subscription();
  readonly #timer: Timer;
  /** Undefined once events are passed on. */
  #held: readonly LiveEvent[] | undefined = [];
  /** Undefined once the service is ready, and beyond the limit. */
  #unheard: readonly AudioBlock[] | undefined = [];
  #unheardFrames = 0;
  #hasAudio = false;
  #isReplaced = false;
  #failed: Status | undefined;

  constructor(options: RolledSessionOptions<Status>) {
    this.#options = options;
    this.#timer = createTimer(options.clock);
  }

  /** Status with the error of a session that has failed. */
  get failed(): Status | undefined {
    return this.#failed;
  }

  get hasAudio(): boolean {
    return this.#hasAudio;
  }

  /** Audio so far, in positions of the source, while the service may still refuse the session; else undefined. */
  get unheard(): readonly AudioBlock[] | undefined {
    return this.#unheard;
  }

  /** Subscribes to the stream; to be called once. */
  start(): void {
    const { stream } = this.#options;
    // Not ended with the events: it completes by itself, after the last status of a stream that is closed.
    stream.status$.subscribe(status => this.#status(status));
    this.#events.add(
      this.#input.pipe(stream).subscribe({
        next: event => this.take(event),
        error: error => this.#end({ error }),
        complete: () => this.#end(),
      }),
    );
  }

  write(block: AudioBlock): void {
    this.#hasAudio = true;
    if (this.#unheard) {
      this.#unheardFrames += framesOf(block);
      const isWithin = this.#unheardFrames <= MAX_UNHEARD_SECONDS * block.sampleRate;
      this.#unheard = isWithin ? [...this.#unheard, block] : undefined;
    }
    this.#input.next({ ...block, startFrame: block.startFrame - this.#options.originFrame });
  }

  /** Ends the audio at the end of the source. */
  finish(): void {
    this.#input.complete();
  }

  /** Ends the audio, as another session follows: the last final still comes. */
  replace(): void {
    this.#isReplaced = true;
    this.#timer.start(this.#options.holdMs, () => {
      this.isOvertaken = true;
      this.#options.onOvertaken();
    });
    this.#input.complete();
  }

  fail(error: unknown): void {
    this.#input.error(error);
  }

  /** Ends the session at once; idempotent. */
  close(): void {
    this.#timer.stop();
    this.#events.unsubscribe();
  }

  /** Ends a session without audio, of which nothing is reported. */
  discard(): void {
    this.#isReplaced = true;
    this.close();
  }

  /** Passes on the events that were held back, and all further ones. Idempotent. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#options.onEvent(event);
  }

  /** Takes an event of the session. */
  take(event: LiveEvent): void {
    if (event.type === 'connected') {
      this.#unheard = undefined;
      this.#options.onAccepted();
    }
    if (!this.#held) {
      // Words that may change are not shown any more while those of the next session are.
      if (!(this.isOvertaken && event.type === 'partial')) this.#options.onEvent(event);
      return;
    }
    const last = this.#held.at(-1);
    const isReplaced = event.type === 'partial' && last?.type === 'partial' && last.channel === event.channel;
    this.#held = [...(isReplaced ? this.#held.slice(0, -1) : this.#held), event];
  }

  #status(status: Status): void {
    const { type } = status;
    // A failure may be that of this session alone, and so is the end of one after a change.
    if (type === 'failed') this.#failed = status;
    else if (!(this.#isReplaced && (type === 'draining' || type === 'closed' || type === 'progress'))) {
      this.#options.onStatus(fromFrame(status, this.#options.originFrame));
    }
  }

  #end(failure?: Failure): void {
    this.#timer.stop();
    this.#options.onEnd(failure);
  }
}

/** Returns a status with the positions of a source that is ahead by some frames. */
function fromFrame<Status extends StreamStatus>(status: Status, frames: number): Status {
  const moved = Object.entries(status).map(([name, value]) => {
    const isPosition = name === 'startFrame' || name === 'endFrame' || name === 'sentFrame';
    return [name, isPosition && typeof value === 'number' ? value + frames : value];
  });
  return Object.fromEntries(moved) as Status;
}
