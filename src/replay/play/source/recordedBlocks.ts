import type { Cassette, CassetteAudio } from '../../cassette/cassette.ts';
import type { LineOf } from '../../cassette/cassetteSchema.ts';

/** A block of the source, in frames of the source. */
export interface RecordedBlock {
  readonly startFrame: number;
  readonly frames: number;
  /** Time of the block in milliseconds since the recording began. Absent when it was not recorded. */
  readonly ms?: number;
}

/** Returns the blocks of a recording in order, without the gaps between them. */
export function* recordedBlocks({ lines, audio }: Cassette): Generator<RecordedBlock> {
  if (!audio) return;
  const gaps = new GapIterator(audio);
  let at = gaps.behind(0);
  let hasLines = false;
  for (const line of lines) {
    if (line.type !== 'block') continue;
    hasLines = true;
    if (line.frame > at) yield { startFrame: at, frames: line.frame - at, ms: line.ms };
    at = gaps.behind(Math.max(at, line.frame));
  }
  if (!hasLines) yield* equalBlocks(audio);
}

/** Returns blocks of the length of the first one, for a recording without block lines. */
function* equalBlocks(audio: CassetteAudio): Generator<RecordedBlock> {
  const gaps = new GapIterator(audio);
  const blockFrames = Math.max(1, audio.blockFrames);
  for (let at = gaps.behind(0); at < audio.frames; ) {
    const frames = Math.min(blockFrames, Math.min(audio.frames, gaps.nextStart) - at);
    yield { startFrame: at, frames };
    at = gaps.behind(at + frames);
  }
}

/** Iterates over the gaps of a recording with frames that never go back. */
class GapIterator {
  readonly #gaps: CassetteAudio['gaps'];
  #next = 0;

  constructor({ gaps }: Pick<CassetteAudio, 'gaps'>) {
    this.#gaps = gaps;
  }

  /** Start of the next gap; infinite after the last one. */
  get nextStart(): number {
    return this.#gaps[this.#next]?.startFrame ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the first delivered frame at or after a frame. */
  behind(frame: number): number {
    let at = frame;
    for (; this.nextStart <= at; this.#next++) {
      const { startFrame, frames } = this.#gaps[this.#next]!;
      if (startFrame === at) at += frames;
    }
    return at;
  }
}

/** Most that blocks of a live source are early: sound cards are slightly fast and deliver in batches. */
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
    (laterMs !== undefined && ms !== undefined ? ms + laterMs : spokenMs(startFrame + frames)) / speed;
}

/** Returns whether no block arrived before it can have been spoken. */
function wasLive([first, ...others]: readonly LineOf<'block'>[], sampleRate: number): boolean {
  if (!first) return false;
  return others.every(({ ms, frame }) => {
    const spokenMs = ((frame - first.frame) * 1000) / sampleRate;
    return ms - first.ms >= spokenMs * (1 - EARLY.share) - EARLY.ms;
  });
}
