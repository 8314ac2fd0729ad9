import type { Span } from '../speakers.ts';

/** Spans in order, without overlap, regarded as one continuous axis. */
export type TimeAxis = readonly Span[];

export function lengthOf(axis: TimeAxis): number {
  return axis.reduce((sum, { ts, endTs }) => sum + endTs - ts, 0);
}

/** Returns the part of an axis between two moments. */
export function between(axis: TimeAxis, { ts, endTs }: Span): TimeAxis {
  return axis
    .filter(span => Math.min(span.endTs, endTs) > Math.max(span.ts, ts))
    .map(span => ({ ts: Math.max(span.ts, ts), endTs: Math.min(span.endTs, endTs) }));
}

/** Returns the first seconds of an axis. */
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

/** Returns the last seconds of an axis. */
export function endOf(axis: TimeAxis, seconds: number): TimeAxis {
  const mirrored = axis.map(({ ts, endTs }) => ({ ts: -endTs, endTs: -ts })).reverse();
  return beginningOf(mirrored, seconds)
    .map(({ ts, endTs }) => ({ ts: -endTs, endTs: -ts }))
    .reverse();
}

/**
 * Lays items along an axis one after the other, with lengths by weight. An item that crosses the end of a span is put into
 * the span that contains its middle.
 *
 * @param axis at least one span
 */
export function layOut(weights: readonly number[], axis: TimeAxis): readonly Span[] {
  const scale = lengthOf(axis) / weights.reduce((sum, weight) => sum + weight, 0);
  let piece = 0;
  /** Start of the current span on the axis. */
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
