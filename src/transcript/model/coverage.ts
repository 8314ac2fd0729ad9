export const HOLE_CAUSES = [
  'gap',
  'dropped',
  'gave-up',
  'no-final',
  'out-of-credit',
  'async-only',
  'killed',
] as const;

/**
 * The reason why audio has no text. `gap`: the source skipped it; `dropped`: the buffer was full; `gave-up`: no service could be
 * reached; `no-final`: partials had words that no final has; `out-of-credit`; `async-only`: it was never streamed; `killed`: the
 * process died.
 */
export type HoleCause = (typeof HOLE_CAUSES)[number];

/**
 * The state of a span of audio: `final` has text, `silence` has no speech, `inaudible` has speech that could not be understood,
 * a `hole` was not transcribed.
 */
export interface CoverageSpan {
  /** Seconds since the start of the audio, in hundredths; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly kind: 'final' | 'silence' | 'inaudible' | 'hole';
  /** Origin of final text and inaudible speech: the live stream, or a later job. For silence, `repaired` when a job found it. */
  readonly provenance?: 'live' | 'repaired';
  /** Set for holes only. */
  readonly cause?: HoleCause;
  /** Channel, when channels are streamed separately. Default 0. */
  readonly channel?: number;
}

/** Spans in order of their starts; those of one channel do not overlap. Audio between spans has no result yet. */
export type Coverage = readonly CoverageSpan[];

/**
 * Returns the holes of a coverage: the spans of audio that were not transcribed.
 *
 * @example
 * import { holesOf } from 'rxscribe';
 *
 * holesOf([
 *   { ts: 0, endTs: 2, kind: 'final', provenance: 'live' },
 *   { ts: 2, endTs: 5, kind: 'hole', cause: 'dropped' },
 * ]); // the second span
 */
export function holesOf(coverage: Coverage): Coverage {
  return coverage.filter(({ kind }) => kind === 'hole');
}
