import {
  type BucketLimits,
  bucketDelayMs,
  bucketLimits,
  fullBucket,
  takeFrames,
} from '../recovery/catchUp.ts';
import { isLive } from './flow.ts';
import type { StreamState } from './model.ts';

/** The frames that may go out now, and the state after that. */
export interface Allowed {
  readonly state: StreamState;
  readonly frames: number;
  /** Milliseconds until more may go out; undefined when some may now. */
  readonly delayMs: number | undefined;
}

/** Returns how many waiting frames may go out now: all audio of a live source as it comes, a backlog at a bounded speed. */
export function allow(state: StreamState, waiting: number, mostFrames: number, nowMs: number): Allowed {
  const { sampleRate } = state.format;
  const limits = bucketLimits({ ...state.settings.catchUp, sampleRate });
  const bucket = backlogOf(state, { waiting, limits, nowMs });
  const wanted = Math.min(waiting, mostFrames);
  if (!bucket) return { state: { ...state, backlog: undefined }, frames: wanted, delayMs: undefined };
  const taken = takeFrames(bucket, wanted, limits, nowMs);
  const next = { ...state, backlog: taken.bucket };
  if (taken.frames > 0) return { state: next, frames: taken.frames, delayMs: undefined };
  // A tenth of a second of audio at a time: a timer for each frame would cost too much.
  const delayMs = Math.max(1, bucketDelayMs(taken.bucket, sampleRate / 10, limits, nowMs));
  return { state: next, frames: 0, delayMs };
}

interface Waiting {
  readonly waiting: number;
  readonly limits: BucketLimits;
  readonly nowMs: number;
}

/** Returns the bucket of a backlog. One begins with more than a burst, and is over below a tenth of it. */
function backlogOf(state: StreamState, { waiting, limits, nowMs }: Waiting): StreamState['backlog'] {
  const burst = state.settings.catchUp.burstSeconds * state.format.sampleRate;
  // Without that distance each block would begin a new burst.
  if (waiting < burst / 10 || limits.framesPerMs === Number.POSITIVE_INFINITY) return undefined;
  // Only a live source has a backlog because something stood still.
  if (state.backlog || waiting <= burst || !isLive(state, nowMs)) return state.backlog;
  return fullBucket(limits, nowMs);
}
