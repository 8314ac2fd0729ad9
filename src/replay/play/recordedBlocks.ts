import type { Cassette, CassetteAudio } from '../cassette/cassette.ts';

/** A block as the source gave it, in frames of the source. */
export interface RecordedBlock {
  readonly startFrame: number;
  readonly frames: number;
}

/** The blocks of a recording, in order; what the source left out is between them. */
export function* recordedBlocks({ lines, audio }: Cassette): Generator<RecordedBlock> {
  if (!audio) return;
  let at = behindGaps(audio, 0);
  let hasLines = false;
  for (const line of lines) {
    if (line.type !== 'block') continue;
    hasLines = true;
    if (line.frame > at) yield { startFrame: at, frames: line.frame - at };
    at = behindGaps(audio, Math.max(at, line.frame));
  }
  if (!hasLines) yield* equalBlocks(audio);
}

/** Nobody kept how it came: as the first block did. */
function* equalBlocks(audio: CassetteAudio): Generator<RecordedBlock> {
  const { gaps, frames: total, blockFrames } = audio;
  for (let at = behindGaps(audio, 0); at < total; ) {
    const nextGap = Math.min(total, ...gaps.map(({ startFrame }) => startFrame).filter(start => start > at));
    const frames = Math.min(Math.max(1, blockFrames), nextGap - at);
    yield { startFrame: at, frames };
    at = behindGaps(audio, at + frames);
  }
}

/** The first frame from there on that the source gave. */
function behindGaps({ gaps }: CassetteAudio, frame: number): number {
  return gaps.reduce((at, { startFrame, frames }) => (startFrame === at ? at + frames : at), frame);
}
