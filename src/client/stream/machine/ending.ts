import { holeCauseOf, mayBeRepaired, type StreamHoleCause } from '../fallback.ts';
import { withPressure } from './flow.ts';
import { addUnstreamed, leaveUnstreamed, repairRest } from './holes.ts';
import type { Step, StreamState } from './model.ts';
import { report, settledFrameOf } from './steps.ts';

/** Ends streaming once all streamed audio has results. Holes still wait for their text. */
export function onStreamed(state: StreamState, step: Step): StreamState {
  step.effects.push({ type: 'stop' });
  return repairRest(state, step);
}

/** Ends streaming when no service accepts it: the fallback transcribes the rest, or the stream fails. */
export function onUnstreamed(state: StreamState, error: unknown, step: Step): StreamState {
  const isRepaired = state.settings.fallback && mayBeRepaired(error, state.wasConnected);
  return isRepaired
    ? fallBack(state, { cause: holeCauseOf(error), error }, step)
    : onFailure(state, error, step);
}

/** The reason for which streaming ends. */
interface Reason {
  readonly cause: StreamHoleCause;
  readonly error?: unknown;
}

/** Leaves all audio without text, and all that follows, to the fallback. */
export function fallBack(state: StreamState, { cause, error }: Reason, step: Step): StreamState {
  report({ type: 'fallback', ...(error !== undefined && { error }) }, step);
  closeLinks(state, step);
  const closed = { ...state, phase: 'unstreamed', current: undefined } as const;
  const left = leaveUnstreamed(closed, settledFrameOf(state), cause, step);
  // A source that waits at the gate goes on.
  return withPressure(state.isFinishing ? repairRest(left, step) : left, step);
}

/** Ends everything with an error; audio without text becomes a hole. */
export function onFailure(state: StreamState, error: unknown, step: Step): StreamState {
  closeLinks(state, step);
  // A stream that was never connected has no holes: another attempt begins with the first frame.
  const isLeft = state.phase === 'streaming' && state.wasConnected;
  const left = isLeft
    ? leaveUnstreamed(state, settledFrameOf(state), holeCauseOf(error), step)
    : addUnstreamed(state, step);
  step.effects.push({ type: 'end', how: { error } });
  return { ...left, phase: 'ended' };
}

/** Ends everything at once. */
export function onClose(state: StreamState, step: Step): StreamState {
  closeLinks(state, step);
  step.effects.push({ type: 'end', how: 'left' });
  return { ...state, phase: 'ended' };
}

function closeLinks({ current }: StreamState, step: Step): void {
  if (current) report({ type: 'closed', code: 1000, reason: 'Stopped by the client' }, step);
  step.effects.push({ type: 'stop' });
}
