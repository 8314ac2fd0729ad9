import { countLeading } from '../../../base/countLeading.ts';
import type { CassetteAudio } from '../../cassette/cassette.ts';
import type { AudioPiece, SourcePiece } from './script.ts';

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
    const gap = lastUpTo(this.#gaps, ({ startFrame }) => startFrame <= sourceFrame);
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

  /**
   * Returns a function from frames of a connection to frames of this clock. A connection may begin with silence that is
   * not in the source, and may lack audio that another one was sent.
   */
  placesOf(pieces: readonly AudioPiece[], originFrame: number): (frame: number) => number {
    const runs: { readonly at: number; readonly frames: number; readonly place: number }[] = [];
    let at = 0;
    for (const piece of pieces) {
      if (piece.kind === 'source') runs.push({ at, frames: piece.frames, place: this.toAudio(piece.start) });
      at += piece.frames;
    }
    const [first] = runs;
    if (!first) return frame => this.toAudio(originFrame) + frame;
    return frame => {
      const run = lastUpTo(runs, ({ at }) => at <= frame) ?? first;
      return run.place + Math.max(0, Math.min(run.frames, frame - run.at));
    };
  }
}

/** Returns the last of the leading items that satisfy a condition. */
function lastUpTo<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): Item | undefined {
  return items[countLeading(items, isBefore) - 1];
}
