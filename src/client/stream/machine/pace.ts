import { isLive } from './flow.ts';
import type { StreamEffect, StreamState } from './model.ts';
import { timer } from './steps.ts';

/** A token bucket over integer frames: the bound on the speed at which a backlog is sent. */
export interface Bucket {
  /** Time at which it began to fill. */
  readonly sinceMs: number;
  /** Frames in it at that time, less those that have gone since: may be far below 0. */
  readonly frames: number;
}

/** The frames that may go now, and the state after that. */
export interface Allowed {
  readonly state: StreamState;
  readonly frames: number;
  readonly effects: readonly StreamEffect[];
}

/**
 * Returns how many of the waiting frames may go now: the audio of a live source as it comes, but a backlog in any `t` seconds
 * at most `(burstSeconds + speed * t) * sampleRate` frames, to within one, so that a service is not flooded. Only a live
 * source has a backlog because something stood still.
 */
export function allow(before: StreamState, waiting: number, mostFrames: number, nowMs: number): Allowed {
  const { speed, burstSeconds } = before.settings.catchUp;
  const { sampleRate } = before.format;
  const burst = Math.max(1, Math.floor(burstSeconds * sampleRate));
  const framesPerMs = (speed * sampleRate) / 1000;
  const state = { ...before, backlog: bucketOf(before, { waiting, burst, nowMs }) };
  const bucket = state.backlog;
  const wanted = Math.min(waiting, mostFrames);
  if (!bucket) return { state, frames: wanted, effects: [] };
  const most = Math.min(burst, bucket.frames + Math.floor((nowMs - bucket.sinceMs) * framesPerMs));
  // The time of a full bucket begins now, since it cannot fill further. Otherwise its beginning stays, so that no part of a
  // frame is lost.
  const full = most === burst ? { sinceMs: nowMs, frames: burst } : bucket;
  const frames = Math.max(0, Math.min(wanted, most));
  const backlog = { ...full, frames: full.frames - frames };
  if (frames > 0 || wanted === 0) return { state: { ...state, backlog }, frames, effects: [] };
  // A tenth of a second of audio at a time: a timer for each frame would cost too much. Rounded up: a fraction must not leave
  // the last frame missing.
  const portion = Math.min(sampleRate / 10, burst);
  const waitMs = backlog.sinceMs + (portion - backlog.frames) / framesPerMs - nowMs;
  const delayMs = Math.max(0, Math.floor(waitMs)) + 1;
  return { state: { ...state, backlog }, frames: 0, effects: [timer('pace', delayMs)] };
}

/** Returns the bucket of a backlog: one begins with a burst, and is over below a tenth of that. */
function bucketOf(
  state: StreamState,
  { waiting, burst, nowMs }: { readonly waiting: number; readonly burst: number; readonly nowMs: number },
): Bucket | undefined {
  const { speed, burstSeconds } = state.settings.catchUp;
  const burstFrames = burstSeconds * state.format.sampleRate;
  // Without that distance each block would begin a new burst.
  if (waiting < burstFrames / 10 || speed === Number.POSITIVE_INFINITY) return undefined;
  if (state.backlog || waiting <= burstFrames || !isLive(state, nowMs)) return state.backlog;
  return { sinceMs: nowMs, frames: burst };
}
