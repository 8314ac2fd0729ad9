import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import { measureLevel } from '../../../audio/level.ts';

/** Seconds of audio that are measured at once: about a syllable. */
const WINDOW_SECONDS = 0.1;

/** dB above the background at which audio is a sound. */
const SOUND_DB = 10;

/** dB below the loudest recent audio at which audio is no sound any more: breath and echoes are quieter than speech. */
const QUIETER_DB = 20;

/** Level in dB below which audio is never a sound, and the lowest background. */
const QUIETEST_DB = -60;

/** dB a second by which background and loudest level approach the current level, so that steady noise becomes background. */
const DRIFT_DB = 1;

const LOWEST_DB = QUIETEST_DB - SOUND_DB;

/** The parts of the audio that are louder than the background, and so may be speech. */
export class SoundMap {
  /** In order. */
  #ranges: FrameRange[] = [];
  #backgroundDb = LOWEST_DB;
  #loudestDb = LOWEST_DB;

  /** Measures a block, which must follow those before. */
  add({ startFrame, samples, channels, sampleRate }: AudioBlock): void {
    const frames = framesOf({ startFrame, samples, channels, sampleRate });
    const windowFrames = Math.max(1, Math.round(WINDOW_SECONDS * sampleRate));
    for (let at = 0; at < frames; at += windowFrames) {
      const endFrame = Math.min(at + windowFrames, frames);
      const { rmsDb } = measureLevel({ samples: samples.subarray(at * channels, endFrame * channels) });
      if (this.#isSound(rmsDb, (endFrame - at) / sampleRate))
        this.#push({ startFrame: startFrame + at, endFrame: startFrame + endFrame });
    }
  }

  /** Returns the frames of sound within a range of the source. */
  frames(fromFrame: number, toFrame: number): number {
    let sum = 0;
    for (const { startFrame, endFrame } of this.#ranges) {
      if (startFrame >= toFrame) break;
      sum += Math.max(0, Math.min(endFrame, toFrame) - Math.max(startFrame, fromFrame));
    }
    return sum;
  }

  /** Forgets the audio before a frame. */
  release(beforeFrame: number): void {
    if ((this.#ranges[0]?.endFrame ?? beforeFrame) >= beforeFrame) return;
    this.#ranges = this.#ranges.filter(({ endFrame }) => endFrame > beforeFrame);
  }

  #isSound(levelDb: number, seconds: number): boolean {
    const leastDb = Math.max(QUIETEST_DB, this.#backgroundDb + SOUND_DB, this.#loudestDb - QUIETER_DB);
    const driftDb = DRIFT_DB * seconds;
    this.#backgroundDb = Math.max(LOWEST_DB, Math.min(levelDb, this.#backgroundDb + driftDb));
    this.#loudestDb = Math.max(levelDb, this.#loudestDb - driftDb);
    return levelDb >= leastDb;
  }

  #push(range: FrameRange): void {
    const last = this.#ranges.at(-1);
    if (last?.endFrame === range.startFrame) {
      this.#ranges[this.#ranges.length - 1] = { startFrame: last.startFrame, endFrame: range.endFrame };
    } else this.#ranges.push(range);
  }
}
