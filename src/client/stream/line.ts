import type { AudioBlock, PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { HoleEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { ReplayStore } from '../spool/replayStore.ts';
import type { Spool } from '../spool/spool.ts';
import { createBlockGuard } from './blockGuard.ts';
import { MARGIN_SECONDS, type Repairs } from './fallback.ts';
import { Journal } from './journal.ts';
import type { LiveHandlers } from './liveOperator.ts';
import type { StreamSettings } from './options.ts';
import { holeCauseOf, mayBeRepaired, type StreamHoleCause } from './recovery/afterFailure.ts';
import { Holes } from './recovery/holes.ts';
import { Link } from './recovery/link.ts';
import { droppedWarning, overflowError, roomFrame } from './recovery/overflow.ts';
import { SourceGaps } from './recovery/sourceGaps.ts';
import { encodeBlock } from './session/encoder.ts';
import type { StreamStatus } from './status.ts';
import { Unstreamed } from './unstreamed.ts';

export interface LineHandlers extends LiveHandlers<StreamStatus> {
  /** Some audio was sent, or has left the process, or is settled. */
  moved(): void;
}

export interface LineOptions {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly store: ReplayStore;
  readonly spool?: Spool;
  readonly token: () => Promise<string>;
  readonly isLive: () => boolean;
  readonly handlers: LineHandlers;
}

/** The audio of one source, from where it comes in to where it is final, silence, or a hole: nothing else is let go. */
export class Line {
  readonly #options: LineOptions;
  readonly #admit: (block: AudioBlock) => readonly AudioBlock[];
  readonly #gaps = new SourceGaps();
  readonly #journal: Journal;
  readonly #holes: Holes;
  readonly #repairs: Repairs | undefined;
  /** Undefined before the start, and once nothing is streamed any more. */
  #link: Link | undefined;
  #unstreamed: Unstreamed | undefined;
  /** Audio before it may be gone, although there is no text of it yet. */
  #keptFrame = 0;
  #isFinished = false;
  #hasEnded = false;

  constructor(options: LineOptions) {
    const { settings, format, store, token, handlers } = options;
    const { addresses, query, fallback, clock, spool } = settings;
    const { sampleRate } = format;
    this.#options = options;
    this.#admit = createBlockGuard(format);
    this.#journal = new Journal({
      spool: options.spool,
      keep: spool?.keep ?? false,
      onError: error => this.#failSoon(error),
    });
    this.#holes = new Holes({
      ...{ store, fallback, gaps: this.#gaps, sampleRate, startTs: query.startTs },
      onHole: (event, range) => this.#tellHole(event, range),
      onWhole: hole => this.#repairs?.repair(hole),
    });
    this.#repairs = fallback?.start({
      ...{ addresses, token, query, format, store, clock, spoolPath: spool?.path },
      emit: event => this.#emit(event),
      status: status => handlers.status(status),
      note: note => this.#journal.note(note),
    });
  }

  /** Connects. */
  start(): void {
    const { settings, format, store, token, isLive, handlers } = this.#options;
    if (settings.fallback?.asyncOnly) {
      handlers.status({ type: 'fallback' });
      this.#leaveRest('async-only');
      return;
    }
    this.#link = new Link({
      ...{ settings, format, gaps: this.#gaps, token, isLive },
      store: {
        get headFrame() {
          return store.headFrame;
        },
        read: (frame, maxFrames) => this.#safely(() => store.read(frame, maxFrames)),
      },
      handlers: {
        event: event => this.#emit(event),
        status: status => handlers.status(status),
        settled: frame => this.#onSettled(frame),
        broken: frame => this.#onBroken(frame),
        moved: () => handlers.moved(),
        end: failure => this.#onLinkEnd(failure),
      },
    });
    this.#link.start();
  }

  /** All before was sent; all audio when nothing is to be. */
  get sentFrame(): number {
    return this.#link?.sentFrame ?? this.#options.store.headFrame;
  }

  /** Frames that are not sent; none when nothing is to be. */
  get waitingFrames(): number {
    return this.#link?.waitingFrames ?? 0;
  }

  /** Frames that are kept because there is no text of them; none when nothing is streamed. */
  get unsettledFrames(): number {
    if (!this.#link) return 0;
    const fromFrame = Math.max(this.#link.settledFrame, this.#keptFrame);
    return this.#gaps.audioFrames(fromFrame, this.#options.store.headFrame);
  }

  /** Bytes that wait in the socket. */
  get bufferedBytes(): number {
    return this.#link?.bufferedBytes ?? 0;
  }

  /**
   * @throws InvalidArgumentError for a block that does not go with those before
   * @throws RxscribeError `overflow` or `store` when the audio cannot be kept
   */
  write(block: AudioBlock): void {
    const { store, format } = this.#options;
    for (const part of this.#admit(block)) {
      const gap = { startFrame: store.headFrame, endFrame: part.startFrame };
      store.append(encodeBlock(part, format));
      if (gap.startFrame < gap.endFrame) this.#holes.addGap(gap);
    }
    this.#holes.headAt(store.headFrame);
    this.#unstreamed?.grown(store.headFrame);
    if (this.#link) this.#makeRoom(this.#link);
    if (this.#link) this.#link.flush();
    else this.#options.handlers.moved();
  }

  /** The source has ended. */
  finish(): void {
    this.#isFinished = true;
    this.#journal.note({ type: 'ended', endFrame: this.#options.store.headFrame });
    if (this.#link) this.#link.finish();
    else this.#finishRepairs();
  }

  /** Ends all with an error; what has no text is a hole. */
  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // A stream that never began has no holes: whoever tries again begins with the first frame.
    if (this.#link?.wasConnected) this.#leaveLink(holeCauseOf(error));
    else this.#unstreamed?.tell(this.#options.store.headFrame);
    this.#end({ error });
  }

  /** Ends all at once, and leaves a spool to whoever resumes. Idempotent. */
  close(): void {
    this.#close();
    this.#journal.close();
  }

  #makeRoom(link: Link): void {
    const { settings, format, store, handlers } = this.#options;
    const maxFrames = settings.maxBufferedSeconds * format.sampleRate;
    if (this.unsettledFrames <= maxFrames) return;
    if (settings.overflow === 'fail') throw overflowError(settings.maxBufferedSeconds);
    if (settings.overflow === 'asyncOnly') {
      handlers.status({ type: 'fallback', error: overflowError(settings.maxBufferedSeconds) });
      this.#leaveRest('async-only');
      return;
    }
    const { maxBufferedSeconds: maxSeconds } = settings;
    this.#drop(link, roomFrame(store.headFrame, { ...format, maxSeconds, gaps: this.#gaps }));
  }

  #drop(link: Link, beforeFrame: number): void {
    const { sentFrame, settledFrame } = link;
    link.skipTo(beforeFrame);
    this.#keptFrame = beforeFrame;
    // What was sent may still become final: it is a hole only when the connection breaks, and then to be repaired.
    this.#release(this.#repairs ? settledFrame : beforeFrame);
    this.#holes.add({ startFrame: sentFrame, endFrame: beforeFrame }, 'dropped');
  }

  #onSettled(frame: number): void {
    this.#holes.settled(frame);
    this.#release(frame);
  }

  #release(frame: number): void {
    const { settings, format, store, spool } = this.#options;
    // Whoever resumes from a spool repairs as well.
    const marginSeconds = settings.fallback?.marginSeconds ?? (spool ? MARGIN_SECONDS : 0);
    const beforeFrame = Math.floor(frame - marginSeconds * format.sampleRate);
    this.#safely(() => store.release(Math.max(0, beforeFrame)));
  }

  #onBroken(settledFrame: number): void {
    if (settledFrame >= this.#keptFrame) return;
    this.#link?.skipTo(this.#keptFrame);
    this.#holes.add({ startFrame: settledFrame, endFrame: this.#keptFrame }, 'dropped');
  }

  #onLinkEnd(failure?: { readonly error: unknown }): void {
    if (!failure) {
      this.#link = undefined;
      this.#finishRepairs();
    } else if (this.#repairs && mayBeRepaired(failure.error, this.#link?.wasConnected ?? false)) {
      this.#options.handlers.status({ type: 'fallback', error: failure.error });
      this.#leaveRest(holeCauseOf(failure.error));
    } else this.fail(failure.error);
  }

  /** From here on all is for the fallback. */
  #leaveRest(cause: StreamHoleCause): void {
    this.#leaveLink(cause);
    if (this.#isFinished) this.#finishRepairs();
    // A source that waits for what was unsent goes on.
    this.#options.handlers.moved();
  }

  /** From here on nothing is streamed: what has no text yet is a hole, and so is all that comes. */
  #leaveLink(cause: StreamHoleCause): void {
    const { format, store } = this.#options;
    const link = this.#link;
    this.#unstreamed = new Unstreamed({
      // What was dropped before is told of already.
      startFrame: link?.settledFrame ?? 0,
      sampleRate: format.sampleRate,
      ...{ cause, holes: this.#holes },
    });
    this.#link = undefined;
    link?.close();
    this.#unstreamed.tell(store.headFrame);
  }

  #finishRepairs(): void {
    this.#unstreamed?.tell(this.#options.store.headFrame);
    this.#holes.end();
    if (!this.#repairs) {
      this.#end();
      return;
    }
    this.#repairs.done().then(
      () => this.#end(),
      error => this.#end({ error }),
    );
  }

  #tellHole(event: HoleEvent, range: FrameRange): void {
    const { format, handlers } = this.#options;
    if (event.cause === 'dropped') handlers.status(droppedWarning(range, format.sampleRate));
    this.#emit(event);
  }

  #emit(event: LiveEvent): void {
    if (this.#hasEnded) return;
    this.#journal.event(event);
    this.#repairs?.observe(event);
    this.#options.handlers.event(event);
  }

  /** What cannot be kept ends the stream, but not in the middle of something else. */
  #safely<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#failSoon(error);
      return undefined;
    }
  }

  #failSoon(error: unknown): void {
    queueMicrotask(() => this.fail(error));
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#close();
    if (failure) this.#journal.close();
    this.#options.handlers.end(failure ?? this.#journal.finish());
  }

  #close(): void {
    this.#hasEnded = true;
    const link = this.#link;
    this.#link = undefined;
    link?.close();
    this.#repairs?.close();
    this.#options.store.close();
  }
}
