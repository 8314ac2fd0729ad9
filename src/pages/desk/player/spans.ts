/** A span of the audio in seconds; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Seconds by which the browser may stop short of a place that was asked for. */
const TOLERANCE = 0.02;

/** Returns the nearest place at or after `time` that is in a span; undefined after the last span. */
export function playableFrom(spans: readonly Span[], time: number): number | undefined {
  const span = spans.find(({ end }) => time < end - TOLERANCE);
  return span && Math.max(span.start, time);
}

/** Returns the nearest place in a span; the end of the last span after it. */
export function nearestPlayable(spans: readonly Span[], time: number): number {
  return playableFrom(spans, time) ?? spans.at(-1)?.end ?? 0;
}

/**
 * Returns the next move of a player at `time`: a place to go to, `stop` after the last span, or undefined to continue. A loop
 * returns to its start at its end.
 */
export function nextMove(
  spans: readonly Span[],
  time: number,
  loop?: Span,
): { readonly to: number } | 'stop' | undefined {
  if (loop && time >= loop.end - TOLERANCE) return { to: nearestPlayable(spans, loop.start) };
  const to = playableFrom(spans, time);
  if (to === undefined) return loop ? { to: nearestPlayable(spans, loop.start) } : 'stop';
  return to - time > TOLERANCE ? { to } : undefined;
}

/** Returns the place `seconds` of played audio away from `time`: audio outside of the spans does not count. */
export function jump(spans: readonly Span[], time: number, seconds: number): number {
  return timeAt(spans, playedBefore(spans, time) + seconds);
}

/** Returns the seconds within spans before `time`. */
export function playedBefore(spans: readonly Span[], time: number): number {
  return spans.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(time, end) - start), 0);
}

export function playedSeconds(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Returns the time after a number of seconds of spans: at a border, the start of the later span. */
function timeAt(spans: readonly Span[], played: number): number {
  let left = Math.max(0, played);
  for (const { start, end } of spans) {
    const length = end - start;
    if (left < length) return start + left;
    left -= length;
  }
  return spans.at(-1)?.end ?? 0;
}

/** Returns the spans of the audio that lie outside. */
export function outsideOf(spans: readonly Span[], seconds: number): readonly Span[] {
  return [...spans, { start: seconds, end: seconds }]
    .map(({ start: end }, n) => ({ start: spans[n - 1]?.end ?? 0, end }))
    .filter(({ start, end }) => end - start > TOLERANCE);
}
