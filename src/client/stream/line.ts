import type { AudioBlock, PcmFormat } from '../../audio/format.ts';
import type { FrameRange } from '../../audio/frameRange.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { HoleCause, HoleEvent, LiveEvent } from '../../transcript/events.ts';
import { OutOfCreditError } from '../serviceErrors.ts';
import type { ReplayStore } from '../spool/replayStore.ts';
import type { Spool, SpoolNote } from '../spool/spool.ts';
import { createBlockGuard } from './blockGuard.ts';
import { MARGIN_SECONDS, type Repairs } from './fallback.ts';
import type { StreamSettings } from './options.ts';
import { Holes } from './recovery/holes.ts';
import { Link } from './recovery/link.ts';
import { timeGridFrames } from './recovery/resume.ts';
import { encodeBlock } from './session/encoder.ts';
import type { StreamStatus } from './status.ts';
import { OverflowError } from './streamErrors.ts';

/** A hole that grows is given to the fallback in parts, so that their audio need not be kept any longer. */
const MAX_HOLE_SECONDS = 3600;

/** How much is left out at once, of all that may be kept: one hole, not many slivers. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

export interface LineHandlers {
  event(event: LiveEvent): void;
  status(status: StreamStatus): void;
  /** Some of what was sent has left the process. */
  drained(): void;
  /** Called once. */
  end(failure?: { readonly error: unknown }): void;
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
  readonly #holes: Holes;
  readonly #repairs: Repairs | undefined;
  /** Undefined once nothing is streamed any more. */
  #link: Link | undefined;
  /** From here on, and for this reason. */
  #unstreamed: { readonly startFrame: number; readonly cause: HoleCause } | undefined;
  /** Audio before it may be gone, although there is no text of it yet. */
  #keptFrame = 0;
  #isFinished = false;
  #hasEnded = false;

  constructor(options: LineOptions) {
    const { settings, format, store } = options;
    const { query, fallback } = settings;
    this.#options = options;
    this.#admit = createBlockGuard(format);
    this.#holes = new Holes({
      ...{ store, fallback, sampleRate: format.sampleRate, startTs: query.startTs },
      onHole: (event, range) => this.#tellHole(event, range),
      onWhole: hole => this.#repairs?.repair(hole),
    });
    this.#repairs = fallback?.start({
      ...{ addresses: settings.addresses, token: options.token, query, format, store, clock: settings.clock },
      emit: event => this.#emit(event),
      status: status => options.handlers.status(status),
      note: note => this.#note(note),
      spoolPath: settings.spool?.path,
    });
  }

  /** Connects. */
  start(): void {
    const { settings, format, store, token, isLive, handlers } = this.#options;
    if (settings.fallback?.asyncOnly) {
      this.#leaveRest('async-only');
      return;
    }
    this.#link = new Link({
      ...{ settings, format, store, token, isLive },
      handlers: {
        event: event => this.#emit(event),
        status: status => handlers.status(status),
        settled: frame => this.#onSettled(frame),
        broken: frame => this.#onBroken(frame),
        drained: () => handlers.drained(),
        end: failure => this.#onLinkEnd(failure),
      },
    });
    this.#link.start();
  }

  /** Where the next frame to be sent is. */
  get sentFrame(): number {
    return this.#link?.sentFrame ?? this.#options.store.headFrame;
  }

  /** Frames that are not sent; none when nothing is to be. */
  get waitingFrames(): number {
    return this.#link?.waitingFrames ?? 0;
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
    const { store } = this.#options;
    for (const part of this.#admit(block)) {
      const gap = { startFrame: store.headFrame, endFrame: part.startFrame };
      store.append(encodeBlock(part, this.#options.format));
      if (gap.startFrame < gap.endFrame) this.#holes.add(gap, 'gap');
    }
    this.#holes.headAt(store.headFrame);
    this.#makeRoom();
    this.#link?.flush();
  }

  /** The source has ended. */
  finish(): void {
    const { headFrame } = this.#options.store;
    this.#isFinished = true;
    this.#note({ type: 'ended', endFrame: headFrame });
    if (this.#link) this.#link.finish();
    else this.#finishRest();
  }

  /** Ends all at once, and leaves a spool to whoever resumes. Idempotent. */
  close(): void {
    this.#close();
    this.#options.spool?.close();
  }

  #makeRoom(): void {
    const { settings, format, store } = this.#options;
    const { sampleRate } = format;
    const link = this.#link;
    if (!link) {
      this.#partHole(MAX_HOLE_SECONDS * sampleRate);
      return;
    }
    const maxFrames = settings.maxBufferedSeconds * sampleRate;
    const keptFrames = store.headFrame - Math.max(link.settledFrame, this.#keptFrame);
    if (keptFrames <= maxFrames) return;
    if (settings.overflow === 'fail') throw overflow(settings.maxBufferedSeconds);
    if (settings.overflow === 'asyncOnly') {
      this.#options.handlers.status({ type: 'fallback', error: overflow(settings.maxBufferedSeconds) });
      this.#leaveRest('async-only');
      return;
    }
    const grid = timeGridFrames(sampleRate);
    const room = Math.min(maxFrames, Math.max(MIN_ROOM_SECONDS * sampleRate, maxFrames * ROOM_SHARE));
    this.#drop(link, Math.ceil((store.headFrame - maxFrames + room) / grid) * grid);
  }

  #drop(link: Link, beforeFrame: number): void {
    // What was sent may still become final: it is a hole only when the connection breaks.
    this.#holes.add({ startFrame: link.sentFrame, endFrame: beforeFrame }, 'dropped');
    link.skipTo(beforeFrame);
    this.#keptFrame = beforeFrame;
    this.#release(beforeFrame);
  }

  #onSettled(frame: number): void {
    this.#holes.settled(frame);
    this.#release(frame);
  }

  #release(frame: number): void {
    const { settings, format, store } = this.#options;
    // Whoever resumes from a spool repairs as well.
    const marginSeconds = settings.fallback?.marginSeconds ?? (this.#options.spool ? MARGIN_SECONDS : 0);
    const margin = marginSeconds * format.sampleRate;
    store.release(Math.max(0, Math.floor(frame - margin)));
  }

  #onBroken(settledFrame: number): void {
    if (settledFrame >= this.#keptFrame) return;
    this.#holes.add({ startFrame: settledFrame, endFrame: this.#keptFrame }, 'dropped');
    this.#link?.skipTo(this.#keptFrame);
  }

  #onLinkEnd(failure?: { readonly error: unknown }): void {
    if (!failure) {
      this.#finishRepairs();
      return;
    }
    const cause = failure.error instanceof OutOfCreditError ? 'out-of-credit' : 'gave-up';
    if (this.#repairs && failure.error instanceof RxscribeError) {
      this.#options.handlers.status({ type: 'fallback', error: failure.error });
      this.#leaveRest(cause);
      return;
    }
    // A stream that never began has no holes: whoever tries again begins with the first frame.
    if (this.#link?.wasConnected) this.#holes.add(this.#restFrom(this.#link.settledFrame), cause);
    this.#end(failure);
  }

  /** From here on nothing is streamed: what has no text yet, and all that comes, is for the fallback. */
  #leaveRest(cause: HoleCause): void {
    const startFrame = Math.max(this.#link?.settledFrame ?? 0, this.#keptFrame);
    const link = this.#link;
    this.#link = undefined;
    link?.close();
    this.#unstreamed = { startFrame, cause };
    if (this.#isFinished) this.#finishRest();
  }

  /** Makes a hole of what is not streamed, when there are so many frames of it. */
  #partHole(minFrames: number): void {
    if (!this.#unstreamed) return;
    const { startFrame, cause } = this.#unstreamed;
    const range = this.#restFrom(startFrame);
    if (range.endFrame - startFrame < minFrames) return;
    this.#unstreamed = { startFrame: range.endFrame, cause };
    this.#holes.add(range, cause);
    this.#release(range.endFrame);
  }

  #finishRest(): void {
    this.#partHole(1);
    this.#finishRepairs();
  }

  #finishRepairs(): void {
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

  #restFrom(startFrame: number) {
    return { startFrame, endFrame: this.#options.store.headFrame };
  }

  #tellHole(event: HoleEvent, { startFrame, endFrame }: FrameRange): void {
    if (event.cause === 'dropped') {
      const frames = endFrame - startFrame;
      const seconds = (frames / this.#options.format.sampleRate).toFixed(1);
      const message = `keep audio: no room, left out ${seconds} s from frame ${startFrame}`;
      this.#options.handlers.status({ type: 'warning', code: 'dropped-audio', message, startFrame, frames });
    }
    this.#emit(event);
  }

  #emit(event: LiveEvent): void {
    if (event.type !== 'partial' && event.type !== 'connected') this.#note({ type: 'event', event });
    this.#repairs?.observe(event);
    this.#options.handlers.event(event);
  }

  #note(note: SpoolNote): void {
    this.#options.spool?.note(note);
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#close();
    if (failure) this.#options.spool?.close();
    else this.#options.spool?.finish();
    this.#options.handlers.end(failure);
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

function overflow(maxSeconds: number): OverflowError {
  return new OverflowError(
    'overflow',
    `keep audio: wanted at most ${maxSeconds} s without text, found more`,
    {
      advice: 'Give a source that can wait the gate; for one that cannot, raise maxBufferedSeconds.',
    },
  );
}
