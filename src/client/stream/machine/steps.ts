import { settledFrame } from '../recovery/reportedAudio.ts';
import { audioFrames } from '../recovery/sourceGaps.ts';
import type { StreamStatus } from '../status.ts';
import type { Link, StreamEffect, StreamState, StreamStep, StreamTimer } from './model.ts';

export function step(state: StreamState, ...effects: readonly StreamEffect[]): StreamStep {
  return { state, effects };
}

/** Returns a step and those that follow it, one after another. */
export function chain(
  first: StreamStep,
  ...next: readonly ((state: StreamState) => StreamStep)[]
): StreamStep {
  let { state, effects } = first;
  for (const follow of next) {
    const then = follow(state);
    state = then.state;
    // Called several times for each block, mostly with effects of one step.
    if (effects.length === 0) effects = then.effects;
    else if (then.effects.length > 0) effects = [...effects, ...then.effects];
  }
  return { state, effects };
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

/** Closes the successor, and opens no other: the audio of the current link ends. */
export function withoutSuccessor(state: StreamState): StreamStep {
  const { successor } = state;
  return step({ ...state, successor: undefined }, ...disconnect(successor), timer('rollOver', undefined));
}

/** Closes a link at once, if there is one. */
export function disconnect(link: Link | undefined): readonly StreamEffect[] {
  return link ? [{ type: 'disconnect', link: link.id }] : [];
}

export function status(status: StreamStatus): StreamEffect {
  return { type: 'status', status };
}

/** Starts or restarts a timer of the stream; undefined stops it. */
export function timer(timer: StreamTimer, delayMs: number | undefined): StreamEffect {
  return { type: 'timer', timer, delayMs };
}

/** Returns the frame of the source before which everything is final, silence or given up. */
export function settledFrameOf({ reported, gaps }: StreamState): number {
  return settledFrame(reported, gaps);
}

/** Returns the frame of the source before which all audio was sent over the current link, or need not be sent. */
export function sentFrameOf(state: StreamState): number {
  return state.current?.sentFrame ?? settledFrameOf(state);
}

/** Returns the end of the audio that the current link gets: another query begins there, or it is the end of the audio so far. */
export function endFrameOf({ nextQueries, headFrame }: StreamState): number {
  return nextQueries[0]?.startFrame ?? headFrame;
}

/** Returns whether the audio of the current link ends. */
export function isEnding({ isFinishing, nextQueries }: StreamState): boolean {
  return isFinishing || nextQueries.length > 0;
}

/** Returns how many frames of audio are not sent. */
export function waitingFrames(state: StreamState): number {
  return audioFrames(state.gaps, sentFrameOf(state), state.headFrame);
}

/** Returns how many frames of audio are kept because they have no text yet. */
export function unsettledFrames(state: StreamState): number {
  const fromFrame = Math.max(settledFrameOf(state), state.droppedFrame);
  return audioFrames(state.gaps, fromFrame, state.headFrame);
}
