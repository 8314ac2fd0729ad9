import { type FrameRange, rangeWithout } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import type { ReplayStore } from '../../spool/replayStore.ts';
import type { StreamHoleCause } from '../fallback.ts';
import { audioOfHole, type Fallback, type Hole } from '../fallback.ts';
import type { SourceGaps } from '../recovery/sourceGaps.ts';
import { secondsAt } from '../secondsAt.ts';

export interface HolesOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds at frame 0. */
  readonly startTs?: number;
  readonly store: Pick<ReplayStore, 'keep'>;
  readonly gaps: SourceGaps;
  /** Default: nobody repairs. */
  readonly fallback?: Pick<Fallback, 'marginSeconds'>;
  readonly onHole: (event: HoleEvent, range: FrameRange) => void;
  /** All its audio is in the store. */
  readonly onWhole: (hole: Hole) => void;
}

/** The audio that has no text: each frame of it is told of once, and kept for whoever repairs. */
export class Holes {
  readonly #options: HolesOptions;
  #known: readonly FrameRange[] = [];
  /** They wait for the audio behind them. */
  #open: readonly Hole[] = [];

  constructor(options: HolesOptions) {
    this.#options = options;
  }

  /** Nobody knows what is said there. What is known to be a hole is passed over. */
  add(range: FrameRange, cause: StreamHoleCause): void {
    for (const part of rangeWithout(range, this.#known)) {
      if (this.#options.gaps.audioFrames(part.startFrame, part.endFrame) === 0) continue;
      this.#known = [...this.#known, part];
      const event = { type: 'hole', cause, ...this.#timesOf(part) } as const;
      this.#keep({ ...part, event });
      this.#options.onHole(event, part);
    }
  }

  /** The source gave nothing there. */
  addGap(range: FrameRange): void {
    this.#options.gaps.add(range);
    this.#options.onHole({ type: 'hole', cause: 'gap', ...this.#timesOf(range) }, range);
  }

  /** The audio so far ends at a frame. */
  headAt(frame: number): void {
    const whole = this.#open.filter(hole => this.#audioOf(hole).endFrame <= frame);
    if (whole.length > 0) this.#handOver(whole);
  }

  /** No more audio comes. */
  end(): void {
    this.#handOver(this.#open);
  }

  /** Before a frame no hole is found any more. */
  settled(frame: number): void {
    if (this.#known.length > 0) this.#known = this.#known.filter(({ endFrame }) => endFrame > frame);
  }

  #keep(hole: Hole): void {
    // Audio in which nothing is to be repaired is not kept: there may be no room for it.
    if (!this.#options.fallback) return;
    this.#options.store.keep(this.#audioOf(hole));
    this.#open = [...this.#open, hole];
  }

  #handOver(holes: readonly Hole[]): void {
    this.#open = this.#open.filter(hole => !holes.includes(hole));
    for (const hole of holes) this.#options.onWhole(hole);
  }

  #audioOf(hole: FrameRange): FrameRange {
    const { fallback, sampleRate } = this.#options;
    return audioOfHole(hole, { marginSeconds: fallback?.marginSeconds ?? 0, sampleRate });
  }

  #timesOf({ startFrame, endFrame }: FrameRange) {
    return {
      ts: secondsAt(startFrame, this.#options),
      endTs: secondsAt(endFrame, this.#options),
    };
  }
}
