import { type FrameRange, rangeWithout, secondsAt } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import type { ReplayStore } from '../../spool/replayStore.ts';
import {
  audioOfHole,
  type Fallback,
  type Hole,
  type QuerySpan,
  type StreamHoleCause,
  splitByQuery,
} from '../fallback.ts';
import type { SourceGaps } from '../recovery/sourceGaps.ts';

export interface HolesOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** First query of the stream. `startTs` is the time of frame 0, in seconds. */
  readonly query: Hole['query'];
  readonly store: Pick<ReplayStore, 'keep'>;
  readonly gaps: SourceGaps;
  /** Default: holes are not repaired. */
  readonly fallback?: Pick<Fallback, 'marginSeconds'>;
  readonly onHole: (event: HoleEvent, range: FrameRange) => void;
  /** Called when all audio of a hole, margins included, is in the store. */
  readonly onWhole: (hole: Hole) => void;
}

/** The audio that has no text: each frame of it is reported once, and kept for a repair. */
export class Holes {
  readonly #options: HolesOptions;
  #known: readonly FrameRange[] = [];
  readonly #queries: QuerySpan[];
  /** Holes that wait for the audio after them. */
  #open: readonly Hole[] = [];

  constructor(options: HolesOptions) {
    this.#options = options;
    this.#queries = [{ startFrame: 0, query: options.query }];
  }

  /** Sets the query of the audio from a frame on. */
  setQuery(span: QuerySpan): void {
    this.#queries.push(span);
  }

  /** Makes a hole of a range, except for parts that are known holes. */
  add(range: FrameRange, cause: StreamHoleCause): void {
    const parts = rangeWithout(range, this.#known).flatMap(part => splitByQuery(part, this.#queries));
    for (const { query, ...part } of parts) {
      if (this.#options.gaps.audioFrames(part.startFrame, part.endFrame) === 0) continue;
      this.#known = [...this.#known, part];
      const event = { type: 'hole', cause, ...this.#timesOf(part) } as const;
      this.#keep({ ...part, event, query });
      this.#options.onHole(event, part);
    }
  }

  /** Adds a range for which the source gave no audio. */
  addGap(range: FrameRange): void {
    this.#options.gaps.add(range);
    this.#options.onHole({ type: 'hole', cause: 'gap', ...this.#timesOf(range) }, range);
  }

  /** Hands over the holes whose audio is complete, now that the audio ends at a frame. */
  headAt(frame: number): void {
    if (this.#open.length === 0) return;
    const whole = this.#open.filter(hole => this.#audioOf(hole).endFrame <= frame);
    if (whole.length > 0) this.#handOver(whole);
  }

  /** Hands over all holes: no more audio comes. */
  end(): void {
    this.#handOver(this.#open);
  }

  /** Forgets known holes before a frame, where no further ones are found. */
  settled(frame: number): void {
    if (this.#known.length > 0) this.#known = this.#known.filter(({ endFrame }) => endFrame > frame);
  }

  #keep(hole: Hole): void {
    // Without a repair the audio is not kept: there may be no room for it.
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
    const { sampleRate, query } = this.#options;
    const time = { sampleRate, startTs: query.startTs };
    return { ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time) };
  }
}
