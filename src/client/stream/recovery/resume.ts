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
  /** The most audio that was sent before the words of a moment came. */
  readonly lagFrames: number;
}

/**
 * Silence is what no word was reported of for so long, with the recogniser's known lag twice over on top: twice the
 * longest segment (30 s), since a recogniser may keep what it heard that long.
 */
const QUIET_SECONDS = 60;

/** Silence is noted down in steps of so long, not with every answer to a ping. */
const QUIET_STEP_SECONDS = 10;

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

/** The last frame of the grid that is not behind a time in seconds. */
export function gridFrame(seconds: number, sampleRate: number): number {
  const grid = timeGridFrames(sampleRate);
  // Binary fractions: 0.57 s of 16 kHz are 9119.999… frames.
  return Math.floor((seconds * sampleRate + 1e-6) / grid) * grid;
}

/** Words came that may still change; the last ends at a frame. */
export function afterPartial(
  state: ResumeState,
  endFrame: number,
  { sentFrame, hasWords }: { readonly sentFrame: number; readonly hasWords: boolean },
): ResumeState {
  return { ...state, hasTail: hasWords, lagFrames: lagOf(state, endFrame, sentFrame) };
}

/** A final came: all up to its end is settled. */
export function afterFinal(state: ResumeState, endFrame: number, sentFrame: number): ResumeState {
  const lagFrames = lagOf(state, endFrame, sentFrame);
  return { ...settle(state, Math.min(endFrame, sentFrame)), hasTail: false, lagFrames };
}

/** What the service has read, and since when it hears it. */
export interface ReadAudio {
  /** An answered ping says that it has read all before. */
  readonly readFrame: number;
  /** Where the connection began, or its last final ended. */
  readonly originFrame: number;
  /** Since the service was connected, or gave that final. */
  readonly elapsedSeconds: number;
}

/**
 * The service has read audio. Of what it read long ago and has said nothing about, nothing was said: unless the
 * recogniser is slower than real time, or lags by more than three times what it ever did.
 */
export function afterRead(state: ResumeState, read: ReadAudio): ResumeState {
  if (state.hasTail) return state;
  const { sampleRate, lagFrames, settledFrame } = state;
  const heardFrame = Math.min(read.readFrame, read.originFrame + read.elapsedSeconds * sampleRate);
  const quietFrame = heardFrame - QUIET_SECONDS * sampleRate - 2 * lagFrames;
  // Whole seconds lie on the grid at every rate.
  const frame = Math.floor(quietFrame / sampleRate) * sampleRate;
  return frame - settledFrame < QUIET_STEP_SECONDS * sampleRate ? state : settle(state, frame);
}

/** The connection is gone, and with it the words that were not final. */
export function afterBreak(state: ResumeState): ResumeState {
  return { ...state, hasTail: false };
}

/** All before a frame needs no sending. */
export function settle(state: ResumeState, frame: number): ResumeState {
  return frame > state.settledFrame ? { ...state, settledFrame: frame } : state;
}

function lagOf(state: ResumeState, endFrame: number, sentFrame: number): number {
  return Math.max(state.lagFrames, sentFrame - endFrame);
}
