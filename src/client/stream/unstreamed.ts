import type { StreamHoleCause } from './recovery/afterFailure.ts';
import type { Holes } from './recovery/holes.ts';

/** A hole so long is told of before the audio ends: so its text comes earlier, and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

export interface UnstreamedOptions {
  /** Where the audio begins of which nobody has said anything. */
  readonly startFrame: number;
  readonly cause: StreamHoleCause;
  /** Hz. */
  readonly sampleRate: number;
  readonly holes: Pick<Holes, 'add' | 'settled'>;
}

/** The audio of a stream that is none any more: one hole after the other. */
export class Unstreamed {
  readonly #options: UnstreamedOptions;
  #startFrame: number;

  constructor(options: UnstreamedOptions) {
    this.#options = options;
    this.#startFrame = options.startFrame;
  }

  /** More audio is there. */
  grown(headFrame: number): void {
    const frames = headFrame - this.#startFrame;
    if (frames >= MAX_HOLE_SECONDS * this.#options.sampleRate) this.tell(headFrame);
  }

  /** Makes a hole of what is there so far. */
  tell(headFrame: number): void {
    const { holes, cause } = this.#options;
    const hole = { startFrame: this.#startFrame, endFrame: headFrame };
    this.#startFrame = headFrame;
    if (hole.startFrame < headFrame) holes.add(hole, cause);
    holes.settled(headFrame);
  }
}
