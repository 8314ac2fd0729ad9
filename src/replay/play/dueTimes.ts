import type { BlockLine, Cassette } from '../cassette/cassette.ts';
import type { RecordedBlock } from './recordedBlocks.ts';

/** How early blocks of a live source come at most: sound cards are a little fast, and give what they have in pieces. */
const EARLY = { ms: 250, share: 0.01 };

/**
 * When a block is due at a speed, in milliseconds from the beginning: when it came, if it came from a live source, else
 * when its last frame is spoken.
 */
export function dueTimes({ lines, audio }: Cassette, speed: number): (block: RecordedBlock) => number {
  const { gaps = [], format: { sampleRate } = { sampleRate: 16_000 } } = audio ?? {};
  const firstFrame = gaps.find(({ startFrame }) => startFrame === 0)?.frames ?? 0;
  const spokenMs = (frame: number) => ((frame - firstFrame) * 1000) / sampleRate;
  const blocks = lines.filter((line): line is BlockLine => line.type === 'block');
  const [first] = blocks;
  const laterMs = first && wasLive(blocks, sampleRate) ? spokenMs(first.frame) - first.ms : undefined;
  return ({ startFrame, frames, ms }) =>
    (laterMs !== undefined && ms !== undefined ? ms + laterMs : spokenMs(startFrame + frames)) / speed;
}

/** Whether no block came before it can have been spoken. */
function wasLive([first, ...others]: readonly BlockLine[], sampleRate: number): boolean {
  if (!first) return false;
  return others.every(({ ms, frame }) => {
    const spokenMs = ((frame - first.frame) * 1000) / sampleRate;
    return ms - first.ms >= spokenMs * (1 - EARLY.share) - EARLY.ms;
  });
}
