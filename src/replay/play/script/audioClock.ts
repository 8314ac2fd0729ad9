import { countLeading } from '../../../base/countLeading.ts';
import type { CassetteAudio } from '../../cassette/cassette.ts';
import type { SourcePiece } from './script.ts';

type Gap = CassetteAudio['gaps'][number];

/** The clock of the delivered audio: that of the source without its gaps. */
export class AudioClock {
  /** Gaps in order, each with the number of missing frames before it. */
  readonly #gaps: readonly (Gap & { readonly leftOut: number })[];

  constructor(gaps: readonly Gap[]) {
    let leftOut = 0;
    this.#gaps = gaps.map(gap => {
      const before = leftOut;
      leftOut += gap.frames;
      return { ...gap, leftOut: before };
    });
  }

  toAudio(sourceFrame: number): number {
    const gap = this.#gaps[countLeading(this.#gaps, ({ startFrame }) => startFrame <= sourceFrame) - 1];
    if (!gap) return sourceFrame;
    return sourceFrame - gap.leftOut - Math.min(gap.frames, sourceFrame - gap.startFrame);
  }

  /** Returns the audio that the source delivered between two of its frames. */
  pieces(startFrame: number, endFrame: number): readonly SourcePiece[] {
    const pieces: SourcePiece[] = [];
    let at = startFrame;
    for (const gap of [...this.#gaps, { startFrame: endFrame, frames: 0 }]) {
      const frames = Math.min(gap.startFrame, endFrame) - at;
      if (frames > 0) pieces.push({ kind: 'source', start: at, frames });
      at = Math.max(at, gap.startFrame + gap.frames);
    }
    return pieces;
  }
}
