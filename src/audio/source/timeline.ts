import { type AudioBlock, framesOf } from '../format/format.ts';

/** Overlap with earlier audio, in seconds, up to which new audio is late rather than a repetition. */
const JITTER_SECONDS = 0.5;

/** Largest difference, in seconds, between the clock of a source and the time that has passed: beyond it, that clock was reset. */
const MAX_CLOCK_JUMP_SECONDS = 60;

/** The first blocks of an attempt. */
export type FirstBlocks = readonly [AudioBlock, ...AudioBlock[]];

/** Position of an attempt on the clock of its source. That clock also runs between attempts. */
interface Origin {
  /** Seconds at frame 0 of the attempt. */
  readonly seconds: number;
  /** Frame 0 of the attempt, in frames of the timeline. */
  readonly frame: number;
}

/**
 * The positions of a live source that is recorded in several attempts, each of which counts from 0. Between two attempts the
 * positions advance with the time that passes. Audio that an attempt repeats is left out.
 */
export class Timeline {
  readonly #sampleRate: number;
  /** First frame after the audio so far, and when its last block arrived. */
  #endFrame = 0;
  #arrivedMs: number | undefined;
  #offset = 0;
  #origin: Origin | undefined;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** Arrival of the last block; undefined before the first. */
  get arrivedMs(): number | undefined {
    return this.#arrivedMs;
  }

  /**
   * Begins an attempt.
   *
   * @param blocks its first blocks, at least one, which have all arrived by now
   * @param originSeconds its frame 0 on the clock of the source, where that is known
   * @returns the seconds of audio that are missing before it
   */
  begin(blocks: FirstBlocks, nowMs: number, originSeconds?: number): number {
    const first = blocks[0].startFrame;
    const arrivedMs = this.#arrivedMs;
    const passedMs = arrivedMs === undefined ? undefined : nowMs - arrivedMs;
    this.#offset = passedMs === undefined ? 0 : this.#startOf(blocks, passedMs, originSeconds) - first;
    this.#origin = originSeconds === undefined ? undefined : { seconds: originSeconds, frame: this.#offset };
    return Math.max(0, this.#offset + first - this.#endFrame) / this.#sampleRate;
  }

  /** Returns a block at its position, without the part that repeats earlier audio; undefined when it repeats all of it. */
  place(block: AudioBlock, nowMs: number): AudioBlock | undefined {
    const startFrame = block.startFrame + this.#offset;
    const repeated = Math.max(0, this.#endFrame - startFrame);
    const frames = framesOf(block);
    if (repeated >= frames) return undefined;
    this.#endFrame = startFrame + frames;
    this.#arrivedMs = nowMs;
    const samples = repeated === 0 ? block.samples : block.samples.subarray(repeated * block.channels);
    return { ...block, startFrame: startFrame + repeated, samples };
  }

  #startOf(blocks: FirstBlocks, passedMs: number, originSeconds: number | undefined): number {
    const [first] = blocks;
    const last = blocks.at(-1) ?? first;
    const frames = last.startFrame + framesOf(last) - first.startFrame;
    const passed = Math.round((passedMs * this.#sampleRate) / 1000);
    const expected = this.#endFrame + passed - frames;
    if (originSeconds !== undefined && this.#origin) {
      const seconds = originSeconds - this.#origin.seconds;
      const exact = this.#origin.frame + Math.round(seconds * this.#sampleRate) + first.startFrame;
      if (Math.abs(exact - expected) <= MAX_CLOCK_JUMP_SECONDS * this.#sampleRate) return exact;
    }
    const isLate = this.#endFrame - expected <= JITTER_SECONDS * this.#sampleRate;
    return isLate ? Math.max(expected, this.#endFrame) : expected;
  }
}
