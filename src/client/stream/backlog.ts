import type { Chunk } from './encoder.ts';
import { OverflowError } from './streamErrors.ts';

/** What to do when more audio is unsent than may be kept. */
export type OverflowPolicy = 'fail' | 'dropOldest';

export interface BacklogOptions {
  readonly sampleRate: number;
  /** Audio that may be kept. */
  readonly maxSeconds: number;
  readonly overflow: OverflowPolicy;
}

/** A run of audio that is given up. */
export interface DroppedAudio {
  readonly startFrame: number;
  readonly frames: number;
}

/** Unsent audio, oldest first. */
export interface Backlog {
  readonly isEmpty: boolean;
  readonly frames: number;
  /**
   * Adds a chunk. Returns what was dropped to make room.
   *
   * @throws OverflowError when there is no room and the policy is `fail`
   */
  push(chunk: Chunk): DroppedAudio | undefined;
  shift(): Chunk | undefined;
}

/** A bounded queue. When it drops, it makes room for a second: one hole, not many slivers. */
export function createBacklog({ sampleRate, maxSeconds, overflow }: BacklogOptions): Backlog {
  const maxFrames = maxSeconds * sampleRate;
  let chunks: Chunk[] = [];
  let head = 0;
  let frames = 0;

  function shift(): Chunk | undefined {
    const chunk = chunks[head];
    if (!chunk) return undefined;
    frames -= chunk.frames;
    head++;
    // An array is cut in the middle only now and then: each cut moves all that follows.
    if (head === chunks.length || head === COMPACT_AT) {
      chunks = chunks.slice(head);
      head = 0;
    }
    return chunk;
  }

  function dropTo(room: number): DroppedAudio {
    const startFrame = chunks[head]!.startFrame;
    let dropped = 0;
    while (frames > room) dropped += shift()?.frames ?? 0;
    return { startFrame, frames: dropped };
  }

  return {
    get isEmpty() {
      return frames === 0;
    },
    get frames() {
      return frames;
    },
    push(chunk) {
      chunks.push(chunk);
      frames += chunk.frames;
      if (frames <= maxFrames) return undefined;
      if (overflow === 'dropOldest') return dropTo(Math.max(0, maxFrames - sampleRate));
      throw new OverflowError(
        'overflow',
        `keep unsent audio: wanted at most ${maxSeconds} s, found ${(frames / sampleRate).toFixed(1)} s`,
        { advice: 'Give a source that can wait the gate; for one that cannot, raise maxBufferedSeconds.' },
      );
    },
    shift,
  };
}

const COMPACT_AT = 1024;
