/**
 * Why audio has no text. `gap`: the source gave none; `dropped`: there was no room for it; `gave-up`: no service could be
 * had; `out-of-credit`; `async-only`: it was never streamed; `killed`: the process died.
 */
export type HoleCause = 'gap' | 'dropped' | 'gave-up' | 'out-of-credit' | 'async-only' | 'killed';

/** What is known about a stretch of audio: `final` has text, in `silence` nothing was said, a `hole` was not heard. */
export interface CoverageSpan {
  /** Seconds since the start of the audio, in hundredths; ts < endTs. */
  readonly ts: number;
  readonly endTs: number;
  readonly kind: 'final' | 'silence' | 'hole';
  /** Of final text, who heard it: the live stream, or a job later. Of silence `repaired` when a job heard it. */
  readonly provenance?: 'live' | 'repaired';
  /** Of a hole. */
  readonly cause?: HoleCause;
  /** Of audio whose channels are streamed apart. Default 0. */
  readonly channel?: number;
}

/** In order of their starts; those of one channel do not overlap. What is missing is not known yet. */
export type Coverage = readonly CoverageSpan[];

/** Audio whose text is not known. */
export function holesOf(coverage: Coverage): Coverage {
  return coverage.filter(({ kind }) => kind === 'hole');
}
