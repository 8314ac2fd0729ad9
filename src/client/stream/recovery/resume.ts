/**
 * The knowledge about sent audio, which a service never acknowledges: up to which frame nothing has to be sent again.
 * Frames count from the start of the source.
 */
export interface ResumeState {
  /** Hz. */
  readonly sampleRate: number;
  /** Frame before which everything is final, silence or given up: a new connection begins here. */
  readonly settledFrame: number;
  /** True while there are words that are not final. */
  readonly hasTail: boolean;
  /** Largest recent lag: frames sent between a word and its arrival. */
  readonly lagFrames: number;
}

/**
 * Seconds without a word after which audio counts as silence, plus twice the known lag of the recogniser: twice the longest
 * segment (30 s), since a recogniser may hold audio back that long.
 */
const QUIET_SECONDS = 60;

/** Share of a lag that remains with each further final: an outage is forgotten after some ten of them. */
const LAG_MEMORY = 0.8;

/** Seconds of silence that are settled at once, instead of some with every answer to a ping. */
const QUIET_STEP_SECONDS = 10;

/**
 * Returns the state before anything is known.
 *
 * @example
 * startOfResume(16_000).settledFrame; // 0
 */
export function startOfResume(sampleRate: number): ResumeState {
  return { sampleRate, settledFrame: 0, hasTail: false, lagFrames: 0 };
}

/**
 * Returns the number of frames after which a time is a whole number of hundredths, the unit of times of a service. The times
 * of a stream that begins on such a frame are rounded as if it had begun with the source.
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

/** Share of a step of the grid by which a time may be too early: the times of a late start have few binary digits. */
const GRID_TOLERANCE = 0.01;

/** Seconds of the coarsest grid: a coarser one would reach into earlier words, which is worse than an error of half a hundredth. */
const MAX_GRID_SECONDS = 0.05;

/**
 * Returns the last frame not after a time in seconds, on the grid of times where that is fine enough.
 *
 * @example
 * gridFrame(0.57, 16_000) // 9120
 */
export function gridFrame(seconds: number, sampleRate: number): number {
  const points = timeGridFrames(sampleRate);
  const grid = points > MAX_GRID_SECONDS * sampleRate ? 1 : points;
  // Binary fractions: 0.57 s of 16 kHz are 9119.999… frames.
  return Math.floor((seconds * sampleRate) / grid + GRID_TOLERANCE) * grid;
}

/** An event about audio that was sent. Frames count from the start of the source. */
export type ResumeEvent =
  /** Words came that may still change, or were withdrawn; the last ends at `endFrame`. */
  | {
      readonly type: 'partial';
      readonly endFrame: number;
      readonly sentFrame: number;
      readonly hasWords: boolean;
    }
  /** A final came, which settles everything up to its end. */
  | { readonly type: 'final'; readonly endFrame: number; readonly sentFrame: number }
  /** The service has read the audio before a frame. */
  | {
      readonly type: 'read';
      readonly readFrame: number;
      /** First frame of the connection, or end of its last final. */
      readonly originFrame: number;
      /** Seconds since the service was connected, or sent that final. */
      readonly elapsedSeconds: number;
    }
  /** The connection is lost, and with it the words that were not final. */
  | { readonly type: 'broken' }
  /** The audio before a frame need not be sent, for another reason. */
  | { readonly type: 'settled'; readonly frame: number };

/**
 * Returns the state after an event.
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
 * Settles audio as silence that a service read long ago without any words; this is wrong only for a recogniser that is
 * slower than real time, or lags by more than three times its recent lag.
 */
function settleSilence(state: ResumeState, read: ResumeEvent & { readonly type: 'read' }): ResumeState {
  const { sampleRate, lagFrames, settledFrame } = state;
  const coveredFrame = Math.min(read.readFrame, read.originFrame + read.elapsedSeconds * sampleRate);
  const quietFrame = coveredFrame - QUIET_SECONDS * sampleRate - 2 * lagFrames;
  // Whole seconds lie on the grid at every rate.
  const frame = Math.floor(quietFrame / sampleRate) * sampleRate;
  return frame - settledFrame < QUIET_STEP_SECONDS * sampleRate ? state : settle(state, frame);
}

function settle(state: ResumeState, frame: number): ResumeState {
  return frame > state.settledFrame ? { ...state, settledFrame: frame } : state;
}

/** Returns the frames that were sent between words and their arrival. */
function lagOf({ endFrame, sentFrame }: { readonly endFrame: number; readonly sentFrame: number }): number {
  return Math.max(0, sentFrame - endFrame);
}
