import type { StreamStatus } from '../status.ts';
import type { Link, StreamEffect, StreamState, StreamStep, StreamTimer } from './model.ts';

export function step(state: StreamState, ...effects: readonly StreamEffect[]): StreamStep {
  return { state, effects };
}

/** Returns a step and the one that follows it. */
export function chain({ state, effects }: StreamStep, next: (state: StreamState) => StreamStep): StreamStep {
  const then = next(state);
  return { state: then.state, effects: effects.length === 0 ? then.effects : [...effects, ...then.effects] };
}

/** Returns a step with effects before its own. */
export function prepend(effects: readonly StreamEffect[], then: StreamStep): StreamStep {
  return { state: then.state, effects: [...effects, ...then.effects] };
}

/** Returns the state with another version of one of its links. */
export function withLink(state: StreamState, link: Link): StreamState {
  if (link.id === state.current?.id) return { ...state, current: link };
  if (link.id === state.successor?.id) return { ...state, successor: link };
  return { ...state, leaving: state.leaving.map(one => (one.id === link.id ? link : one)) };
}

/** Returns the state without one of its links. */
export function withoutLink(state: StreamState, id: number): StreamState {
  if (id === state.current?.id) return { ...state, current: undefined };
  if (id === state.successor?.id) return { ...state, successor: undefined };
  return { ...state, leaving: state.leaving.filter(link => link.id !== id) };
}

export function linkOf({ current, successor, leaving }: StreamState, id: number): Link | undefined {
  if (id === current?.id) return current;
  return id === successor?.id ? successor : leaving.find(link => link.id === id);
}

export function status(status: StreamStatus): StreamEffect {
  return { type: 'status', status };
}

/** Starts or restarts a timer of the stream; undefined stops it. */
export function timer(timer: StreamTimer, delayMs: number | undefined): StreamEffect {
  return { type: 'timer', timer, delayMs };
}
