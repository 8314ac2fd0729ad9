import { type AudioBlock, framesOf } from '../../audio/format.ts';
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
  readonly frames: number;
  /**
   * Adds a block. Returns what was dropped to make room.
   *
   * @throws OverflowError when there is no room and the policy is `fail`
   */
  push(block: AudioBlock): DroppedAudio | undefined;
  shift(): AudioBlock | undefined;
}

/** Blocks taken from the front of the array before it is cut: each cut moves all that follows. */
const COMPACT_AT = 1024;

/** A bounded queue. When it drops, it makes room for a second: one hole, not many slivers. */
export function createBacklog({ sampleRate, maxSeconds, overflow }: BacklogOptions): Backlog {
  const maxFrames = maxSeconds * sampleRate;
  const blocks: AudioBlock[] = [];
  let head = 0;
  let frames = 0;

  function shift(): AudioBlock | undefined {
    const block = blocks[head];
    if (!block) return undefined;
    frames -= framesOf(block);
    head++;
    if (head === blocks.length || head === COMPACT_AT) {
      blocks.splice(0, head);
      head = 0;
    }
    return block;
  }

  function dropTo(room: number): DroppedAudio {
    const { startFrame } = blocks[head]!;
    let dropped = 0;
    while (frames > room) dropped += framesOf(shift()!);
    return { startFrame, frames: dropped };
  }

  return {
    get frames() {
      return frames;
    },
    push(block) {
      blocks.push(block);
      frames += framesOf(block);
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
