import type { Span } from '../speakers.ts';

/** Pieces of time, in order, none over another: a line of its own that is as long as all of them. */
export type TimeAxis = readonly Span[];

export function lengthOf(axis: TimeAxis): number {
  return axis.reduce((sum, { ts, endTs }) => sum + endTs - ts, 0);
}

/** What of an axis lies between two moments. */
export function between(axis: TimeAxis, { ts, endTs }: Span): TimeAxis {
  return axis
    .filter(span => Math.min(span.endTs, endTs) > Math.max(span.ts, ts))
    .map(span => ({ ts: Math.max(span.ts, ts), endTs: Math.min(span.endTs, endTs) }));
}

/** The first so many seconds of an axis. */
export function beginningOf(axis: TimeAxis, seconds: number): TimeAxis {
  const pieces: Span[] = [];
  let rest = seconds;
  for (const { ts, endTs } of axis) {
    if (rest <= 0) break;
    pieces.push({ ts, endTs: Math.min(endTs, ts + rest) });
    rest -= endTs - ts;
  }
  return pieces;
}

/** The last so many seconds of an axis. */
export function endOf(axis: TimeAxis, seconds: number): TimeAxis {
  const mirrored = axis.map(({ ts, endTs }) => ({ ts: -endTs, endTs: -ts })).reverse();
  return beginningOf(mirrored, seconds)
    .map(({ ts, endTs }) => ({ ts: -endTs, endTs: -ts }))
    .reverse();
}

/**
 * Lays things along an axis, one after the other, each as long as its weight wants. One that would go over the end of a
 * piece stands in the piece that has its middle.
 *
 * @param axis one piece at least
 */
export function layOut(weights: readonly number[], axis: TimeAxis): readonly Span[] {
  const scale = lengthOf(axis) / weights.reduce((sum, weight) => sum + weight, 0);
  let piece = 0;
  /** Where the piece begins on the axis. */
  let pieceStart = 0;
  let reached = 0;
  return weights.map(weight => {
    const from = reached;
    reached += weight * scale;
    const middle = (from + reached) / 2;
    for (;;) {
      const { ts, endTs } = axis[piece]!;
      if (piece === axis.length - 1 || middle < pieceStart + endTs - ts) break;
      pieceStart += endTs - ts;
      piece++;
    }
    const { ts, endTs } = axis[piece]!;
    const within = (position: number) => Math.min(Math.max(ts, ts + position - pieceStart), endTs);
    return { ts: within(from), endTs: within(reached) };
  });
}
