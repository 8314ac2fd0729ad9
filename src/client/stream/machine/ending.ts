import { holeCauseOf, mayBeRepaired, type StreamHoleCause } from '../fallback.ts';
import { withPressure } from './flow.ts';
import type { StreamEffect, StreamState, StreamStep, StreamView } from './model.ts';
import { chain, settledFrameOf, status, step } from './steps.ts';

/** Everything that was streamed has its text: the holes are left. */
export function onStreamed(state: StreamState): StreamStep {
  return step({ ...state, phase: 'repairing', current: undefined }, { type: 'stop' }, { type: 'repair' });
}

/** No service takes the stream any more: the fallback does the rest, or the stream fails. */
export function onUnstreamed(state: StreamState, error: unknown, view: StreamView): StreamStep {
  if (!(view.repairs && mayBeRepaired(error, state.wasConnected))) return onFailure(state, error, view);
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
  const left = step(
    { ...state, phase: state.isFinishing ? 'repairing' : 'unstreamed', current: undefined },
    fallback,
    ...closeLinks(state),
    { type: 'unstreamed', fromFrame: settledFrameOf(state, view), cause },
    ...(state.isFinishing ? [{ type: 'repair' } as const] : []),
  );
  // A source that waits at the gate goes on.
  return chain(left, after => withPressure(after, view));
}

/** Ends everything with an error; audio without text becomes a hole. */
export function onFailure(state: StreamState, error: unknown, view: StreamView): StreamStep {
  // A stream that was never connected has no holes: another attempt begins with the first frame.
  const isLeft = state.phase === 'streaming' && state.wasConnected;
  const fromFrame = settledFrameOf(state, view);
  return step(
    { ...state, phase: 'ended' },
    ...closeLinks(state),
    ...(isLeft ? [{ type: 'unstreamed', fromFrame, cause: holeCauseOf(error) } as const] : []),
    { type: 'end', how: { error } },
  );
}

/** Ends everything at once. */
export function onClose(state: StreamState): StreamStep {
  return step({ ...state, phase: 'ended' }, ...closeLinks(state), { type: 'end', how: 'left' });
}

function closeLinks({ current }: StreamState): readonly StreamEffect[] {
  const closed = status({ type: 'closed', code: 1000, reason: 'Stopped by the client' });
  return [...(current ? [closed] : []), { type: 'stop' }];
}
