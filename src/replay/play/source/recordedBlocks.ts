import type { Cassette } from '../../cassette/cassette.ts';
import type { LineOf } from '../../cassette/cassetteSchema.ts';

/** A block of the source, in frames of the source. */
export interface RecordedBlock {
  readonly startFrame: number;
  readonly frames: number;
  /** Time of the block in milliseconds since the recording began. */
  readonly ms: number;
}

/** Returns the blocks of a recording in order, without the gaps between them. */
export function* recordedBlocks({ lines, audio }: Cassette): Generator<RecordedBlock> {
  if (!audio) return;
  const blocks = lines.filter(line => line.type === 'block');
  const gapFrames = new Map(audio.gaps.map(({ startFrame, frames }) => [startFrame, frames]));
  let at = 0;
  for (const { frame, ms } of blocks) {
    for (let gap = gapFrames.get(at); gap; gap = gapFrames.get(at)) at += gap;
    if (frame > at) yield { startFrame: at, frames: frame - at, ms };
    at = Math.max(at, frame);
  }
}

/** Maximum lead of the blocks of a live source: sound cards are slightly fast and deliver in batches. */
const EARLY = { ms: 250, share: 0.01 };

/**
 * Returns a function that returns the time at which a block is due at a speed, in milliseconds from the start: its recorded time
 * for a live source, else the time of its last frame.
 */
export function dueTimes({ lines, audio }: Cassette, speed: number): (block: RecordedBlock) => number {
  const { gaps = [], format: { sampleRate } = { sampleRate: 16_000 } } = audio ?? {};
  const firstFrame = gaps.find(({ startFrame }) => startFrame === 0)?.frames ?? 0;
  const spokenMs = (frame: number) => ((frame - firstFrame) * 1000) / sampleRate;
  const blocks = lines.filter(line => line.type === 'block');
  const [first] = blocks;
  const laterMs = first && wasLive(blocks, sampleRate) ? spokenMs(first.frame) - first.ms : undefined;
  return ({ startFrame, frames, ms }) =>
    (laterMs !== undefined ? ms + laterMs : spokenMs(startFrame + frames)) / speed;
}

/** Returns whether no block arrived before it can have been spoken. */
function wasLive([first, ...others]: readonly LineOf<'block'>[], sampleRate: number): boolean {
  if (!first) return false;
  return others.every(({ ms, frame }) => {
    const spokenMs = ((frame - first.frame) * 1000) / sampleRate;
    return ms - first.ms >= spokenMs * (1 - EARLY.share) - EARLY.ms;
  });
}
