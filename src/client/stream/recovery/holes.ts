import {
  type FrameRange,
  rangeWithout,
  type SourceTime,
  secondsAt,
} from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import { audioOfHole, type Hole, type QuerySpan, type StreamHoleCause, splitByQuery } from '../fallback.ts';
import { audioFrames, type SourceGaps } from './sourceGaps.ts';

/** The audio without text: each frame of it is reported once, and kept for a repair. */
export interface Holes {
  /** Holes where further ones may be found. */
  readonly known: readonly FrameRange[];
  /** Queries of the stream so far. */
  readonly queries: readonly QuerySpan[];
  /** Holes to be repaired that wait for the audio after them. */
  readonly open: readonly Hole[];
}

/** The clock of the source, and its gaps. */
export interface HoleSource extends SourceTime {
  readonly gaps: SourceGaps;
}

/** Returns the event of a range without text. */
export function holeEvent(
  { startFrame, endFrame }: FrameRange,
  cause: HoleEvent['cause'],
  time: SourceTime,
): HoleEvent {
  return { type: 'hole', cause, ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time) };
}

/** Returns new holes for the parts of a range that are audio and no known holes: one for each query. */
export function holesOf(
  range: FrameRange,
  cause: StreamHoleCause,
  { known, queries }: Holes,
  source: HoleSource,
): readonly Hole[] {
  return rangeWithout(range, known)
    .flatMap(part => splitByQuery(part, queries))
    .filter(({ startFrame, endFrame }) => audioFrames(source.gaps, startFrame, endFrame) > 0)
    .map(part => ({ ...part, event: holeEvent(part, cause, source) }));
}

/** Forgets known holes before a frame, where no further ones are found. */
export function withSettled(holes: Holes, frame: number): Holes {
  if (holes.known.length === 0) return holes;
  return { ...holes, known: holes.known.filter(({ endFrame }) => endFrame > frame) };
}

/** Returns the open holes whose audio, margins included, is complete when the audio so far ends at a frame. */
export function wholeHoles(
  { open }: Holes,
  headFrame: number,
  margin: { readonly marginSeconds: number; readonly sampleRate: number },
): readonly Hole[] {
  return open.filter(hole => audioOfHole(hole, margin).endFrame <= headFrame);
}
