import type { AudioPiece } from './script.ts';

interface Gap {
  readonly startFrame: number;
  readonly frames: number;
}

/** The clock of the audio that a source gave: that of the source, without the frames that it left out. */
export class AudioClock {
  readonly #gaps: readonly Gap[];

  constructor(gaps: readonly Gap[]) {
    this.#gaps = gaps;
  }

  toAudio(sourceFrame: number): number {
    const before = (frame: number) => Math.max(0, sourceFrame - frame);
    return this.#gaps.reduce((at, gap) => at - Math.min(gap.frames, before(gap.startFrame)), sourceFrame);
  }

  /** What the source gave between two of its frames. */
  pieces(startFrame: number, endFrame: number): readonly AudioPiece[] {
    const pieces: AudioPiece[] = [];
    let at = startFrame;
    for (const gap of [...this.#gaps, { startFrame: endFrame, frames: 0 }]) {
      const frames = Math.min(gap.startFrame, endFrame) - at;
      if (frames > 0) pieces.push({ kind: 'source', start: at, frames });
      at = Math.max(at, gap.startFrame + gap.frames);
    }
    return pieces;
  }

  /**
   * Where frames of a connection lie on this clock. A connection may begin with silence that the source does not have,
   * and may leave out what another one was sent.
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
      const run = runs.findLast(({ at }) => at <= frame) ?? first;
      return run.place + Math.max(0, Math.min(run.frames, frame - run.at));
    };
  }
}
