/**
 * What is known of the audio that a service was sent, although it acknowledges none: up to which frame nothing has to be
 * sent again. Frames count from the start of the source.
 */
export interface ResumeState {
  /** Hz. */
  readonly sampleRate: number;
  /** All before is final, silence, or given up: a new connection begins here. */
  readonly settledFrame: number;
  /** Words stand that are not final. */
  readonly hasTail: boolean;
  /** The most audio that was lately sent before the words of a moment came. */
  readonly lagFrames: number;
}

/**
 * Silence is what no word was reported of for so long, with the recogniser's known lag twice over on top: twice the
 * longest segment (30 s), since a recogniser may keep what it heard that long.
 */
const QUIET_SECONDS = 60;

/** What is left of a lag with each final that follows: an outage is forgotten after some ten of them. */
const LAG_MEMORY = 0.8;

/** Silence is noted down in steps of so long, not with every answer to a ping. */
const QUIET_STEP_SECONDS = 10;

/** Nothing is known yet. */
export function startOfResume(sampleRate: number, frame = 0): ResumeState {
  return { sampleRate, settledFrame: frame, hasTail: false, lagFrames: 0 };
}

/**
 * Frames after which a time is a whole number of the hundredths in which a service gives times. A stream that begins on
 * such a frame has its times rounded as if it had begun with the source.
 *
 * @example
 * timeGridFrames(16_000) // 160
 * timeGridFrames(11_025) // 441
 */
export function timeGridFrames(sampleRate: number): number {
  let [divisor, rest] = [sampleRate, 100];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return sampleRate / divisor;
}

/** A grid that is coarser would lead far into the words before: there, a rounding of half a hundredth is the lesser evil. */
const MAX_GRID_SECONDS = 0.05;

/**
 * The last frame that is not after a time in seconds, on the grid of times where that is fine enough.
 *
 * @example
 * gridFrame(0.57, 16_000) // 9120
 */
export function gridFrame(seconds: number, sampleRate: number): number {
  const points = timeGridFrames(sampleRate);
  const grid = points > MAX_GRID_SECONDS * sampleRate ? 1 : points;
  // Binary fractions: 0.57 s of 16 kHz are 9119.999… frames.
  return Math.floor((seconds * sampleRate + 1e-6) / grid) * grid;
}

/** What becomes known of audio that was sent. Frames count from the start of the source. */
export type ResumeEvent =
  /** Words came that may still change, or were taken back; the last ends at a frame. */
  | {
      readonly type: 'partial';
      readonly endFrame: number;
      readonly sentFrame: number;
      readonly hasWords: boolean;
    }
  /** A final came: all up to its end is settled. */
  | { readonly type: 'final'; readonly endFrame: number; readonly sentFrame: number }
  /** The service has read what lies before a frame. It hears since a while, from another frame on. */
  | {
      readonly type: 'read';
      readonly readFrame: number;
      /** Where the connection began, or its last final ended. */
      readonly originFrame: number;
      /** Since the service was connected, or gave that final. */
      readonly elapsedSeconds: number;
    }
  /** The connection is gone, and with it the words that were not final. */
  | { readonly type: 'broken' }
  /** What lies before a frame needs no sending, for a reason of its own. */
  | { readonly type: 'settled'; readonly frame: number };

/**
 * What is known after an event.
 *
 * @example
 * const start = startOfResume(16_000);
 * nextResume(start, { type: 'final', endFrame: 48_000, sentFrame: 60_000 }).settledFrame // 48000
 */
export function nextResume(state: ResumeState, event: ResumeEvent): ResumeState {
  switch (event.type) {
    case 'partial':
      return { ...state, hasTail: event.hasWords, lagFrames: Math.max(state.lagFrames, lagOf(event)) };
    case 'final': {
      const settled = settle(state, Math.min(event.endFrame, event.sentFrame));
      const lagFrames = Math.max(Math.floor(state.lagFrames * LAG_MEMORY), lagOf(event));
      return { ...settled, hasTail: false, lagFrames };
    }
    case 'read':
      return state.hasTail ? state : settleSilence(state, event);
    case 'broken':
      return { ...state, hasTail: false };
    case 'settled':
      return settle(state, event.frame);
  }
}

/**
 * Of what a service read long ago and has said nothing about, nothing was said: unless its recogniser is slower than
 * real time, or lags by more than three times what it lately did.
 */
function settleSilence(state: ResumeState, read: ResumeEvent & { readonly type: 'read' }): ResumeState {
  const { sampleRate, lagFrames, settledFrame } = state;
  const heardFrame = Math.min(read.readFrame, read.originFrame + read.elapsedSeconds * sampleRate);
  const quietFrame = heardFrame - QUIET_SECONDS * sampleRate - 2 * lagFrames;
  // Whole seconds lie on the grid at every rate.
  const frame = Math.floor(quietFrame / sampleRate) * sampleRate;
  return frame - settledFrame < QUIET_STEP_SECONDS * sampleRate ? state : settle(state, frame);
}

function settle(state: ResumeState, frame: number): ResumeState {
  return frame > state.settledFrame ? { ...state, settledFrame: frame } : state;
}

/** Audio that was sent before the words of a moment came. */
function lagOf({ endFrame, sentFrame }: { readonly endFrame: number; readonly sentFrame: number }): number {
  return Math.max(0, sentFrame - endFrame);
}
