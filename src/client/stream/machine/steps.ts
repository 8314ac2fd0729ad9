import { audioFrames, toSource } from '../recovery/sourceTime.ts';
import type { StreamStatus } from '../status.ts';
import type { Link, LinkTimer, Step, StreamState, StreamTimer } from './model.ts';

/** Returns whether audio goes to a service, also during an outage. */
export function isStreaming({ phase }: StreamState): boolean {
  return phase.type === 'streaming' || phase.type === 'waiting';
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
export function withoutSuccessor(state: StreamState, step: Step): StreamState {
  disconnect(state.successor, step);
  setTimer('rollOver', undefined, step);
  return { ...state, successor: undefined };
}

/** Closes a link at once, if there is one. */
export function disconnect(link: Link | undefined, { effects }: Step): void {
  if (link) effects.push({ type: 'disconnect', link: link.id });
}

export function report(status: StreamStatus, { effects }: Step): void {
  effects.push({ type: 'status', status });
}

/** Reports a status of a link, if it is the current one. */
export function reportOf(link: Link, status: StreamStatus, { current }: StreamState, step: Step): void {
  if (link.id === current?.id) report(status, step);
}

/** Starts or restarts a timer of the stream; undefined stops it. */
export function setTimer(timer: StreamTimer, delayMs: number | undefined, { effects }: Step): void {
  effects.push({ type: 'timer', timer, delayMs });
}

/** Starts or restarts a timer of a link. */
export function setLinkTimer({ id, timeouts }: Link, timer: LinkTimer, { effects }: Step): void {
  const delayMs = timer === 'ping' ? timeouts.pingIntervalMs : timeouts[`${timer}TimeoutMs`];
  effects.push({ type: 'timer', link: id, timer, delayMs });
}

export function stopLinkTimer({ id }: Link, timer: LinkTimer, { effects }: Step): void {
  effects.push({ type: 'timer', link: id, timer, delayMs: undefined });
}

/** Returns the frame of the source before which everything is final, silence or given up. */
export function settledFrameOf({ reported, gaps }: StreamState): number {
  return toSource(gaps, reported.resume.settledFrame);
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
