import { holeCauseOf, mayBeRepaired, type StreamHoleCause } from '../fallback.ts';
import { withPressure } from './flow.ts';
import { addUnstreamed, leaveUnstreamed, repairRest } from './holes.ts';
import type { StreamEffect, StreamState, StreamStep, StreamView } from './model.ts';
import { chain, prepend, settledFrameOf, status, step } from './steps.ts';

/** Ends streaming once all streamed audio has results. Holes still wait for their text. */
export function onStreamed(state: StreamState): StreamStep {
  return prepend([{ type: 'stop' }], repairRest(state));
}

/** Ends streaming when no service accepts it: the fallback transcribes the rest, or the stream fails. */
export function onUnstreamed(state: StreamState, error: unknown, view: StreamView): StreamStep {
  const isRepaired = state.settings.fallback && mayBeRepaired(error, state.wasConnected);
  if (!isRepaired) return onFailure(state, error);
  return fallBack(state, { cause: holeCauseOf(error), error }, view);
}

/** The reason for which streaming ends. */
interface Reason {
  readonly cause: StreamHoleCause;
  readonly error?: unknown;
}

/** Leaves all audio without text, and all that follows, to the fallback. */
export function fallBack(state: StreamState, { cause, error }: Reason, view: StreamView): StreamStep {
  const fallback = status({ type: 'fallback', ...(error !== undefined && { error }) });
  const closed = step({ ...state, phase: 'unstreamed', current: undefined }, fallback, ...closeLinks(state));
  const left = chain(closed, after => leaveUnstreamed(after, settledFrameOf(state), cause));
  const next = state.isFinishing ? chain(left, repairRest) : left;
  // A source that waits at the gate goes on.
  return chain(next, after => withPressure(after, view));
}

/** Ends everything with an error; audio without text becomes a hole. */
export function onFailure(state: StreamState, error: unknown): StreamStep {
  // A stream that was never connected has no holes: another attempt begins with the first frame.
  const isLeft = state.phase === 'streaming' && state.wasConnected;
  const left = isLeft
    ? leaveUnstreamed(state, settledFrameOf(state), holeCauseOf(error))
    : addUnstreamed(state);
  const ended = chain(left, after => step({ ...after, phase: 'ended' }, { type: 'end', how: { error } }));
  return prepend(closeLinks(state), ended);
}

/** Ends everything at once. */
export function onClose(state: StreamState): StreamStep {
  return step({ ...state, phase: 'ended' }, ...closeLinks(state), { type: 'end', how: 'left' });
}

function closeLinks({ current }: StreamState): readonly StreamEffect[] {
  const closed = status({ type: 'closed', code: 1000, reason: 'Stopped by the client' });
  return [...(current ? [closed] : []), { type: 'stop' }];
}
