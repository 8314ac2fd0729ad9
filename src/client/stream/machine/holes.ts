import { type FrameRange, rangeWithout, secondsAt } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import { audioOfHole, type Hole, type QuerySpan, type StreamHoleCause, splitByQuery } from '../fallback.ts';
import { audioFrames, withGap } from '../recovery/sourceTime.ts';
import { droppedWarning } from '../status.ts';
import type { Holes, Step, StreamState } from './model.ts';
import { report } from './steps.ts';

/** Seconds of unstreamed audio that become one hole, so that its text comes early and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

/**
 * Reports the gap before new audio, and hands over the holes whose audio is complete.
 *
 * @param state with the end of the new audio as its head
 * @param endFrame end of the audio before
 * @param startFrame start of the new audio
 */
export function extend(state: StreamState, endFrame: number, startFrame: number, step: Step): StreamState {
  const extended = repairWhole(withGapBefore(state, endFrame, startFrame, step), step);
  const { unstreamed, format, headFrame } = state;
  const isLong = unstreamed && headFrame - unstreamed.startFrame >= MAX_HOLE_SECONDS * format.sampleRate;
  return isLong ? addUnstreamed(extended, step) : extended;
}

/** Makes holes of the parts of a range that are audio and no holes yet: one for each query. */
export function addHoles(
  state: StreamState,
  range: FrameRange,
  cause: StreamHoleCause,
  step: Step,
): StreamState {
  const { holes, gaps, format, settings } = state;
  const added = rangeWithout(range, holes.known)
    .flatMap(part => splitByQuery(part, holes.queries))
    .filter(({ startFrame, endFrame }) => audioFrames(gaps, startFrame, endFrame) > 0)
    .map(part => ({ ...part, event: holeEvent(state, part, cause) }));
  if (added.length === 0) return state;
  for (const hole of added) {
    // Without a repair the audio is not kept: there may be no room for it.
    if (settings.fallback) step.effects.push({ type: 'keep', range: audioWithMargins(hole, state) });
    if (cause === 'dropped') report(droppedWarning(hole, format.sampleRate), step);
    step.effects.push({ type: 'transcript', event: hole.event });
  }
  const open = settings.fallback ? [...holes.open, ...added] : holes.open;
  return { ...state, holes: { ...holes, known: [...holes.known, ...added], open } };
}

/** Forgets holes before a frame, where no further ones are found. */
export function withSettled(holes: Holes, frame: number): Holes {
  if (holes.known.length === 0) return holes;
  return { ...holes, known: holes.known.filter(({ endFrame }) => endFrame > frame) };
}

/** Makes holes of all audio from a frame on: nothing is streamed any more. */
export function leaveUnstreamed(
  state: StreamState,
  startFrame: number,
  cause: StreamHoleCause,
  step: Step,
): StreamState {
  return addUnstreamed({ ...state, unstreamed: { startFrame, cause } }, step);
}

/** Makes holes of the unstreamed audio so far. */
export function addUnstreamed(state: StreamState, step: Step): StreamState {
  const { unstreamed, headFrame, settings } = state;
  if (!unstreamed) return state;
  const { startFrame, cause } = unstreamed;
  const after = addHoles(state, { startFrame, endFrame: headFrame }, cause, step);
  // Holes keep their audio until it is repaired. Without a fallback it stays in the spool, for a later process.
  if (settings.fallback) step.effects.push({ type: 'release', frame: headFrame });
  const holes = withSettled(after.holes, headFrame);
  return { ...after, holes, unstreamed: { startFrame: headFrame, cause } };
}

/** Hands over all holes that are left, and waits for their text: no more audio comes. */
export function repairRest(state: StreamState, step: Step): StreamState {
  const added = addUnstreamed(state, step);
  const rest = repair({ ...added, phase: 'repairing', current: undefined }, added.holes.open, step);
  step.effects.push({ type: 'awaitRepairs' });
  return rest;
}

/** Sets the query of the audio from a frame on. */
export function withQuery(state: StreamState, span: QuerySpan, step: Step, isRefusal = false): StreamState {
  step.effects.push({ type: 'query', isRefusal, ...span });
  return { ...state, holes: { ...state.holes, queries: [...state.holes.queries, span] } };
}

function withGapBefore(state: StreamState, startFrame: number, endFrame: number, step: Step): StreamState {
  if (endFrame <= startFrame) return state;
  const gap = { startFrame, endFrame };
  step.effects.push({ type: 'transcript', event: holeEvent(state, gap, 'gap') });
  return { ...state, gaps: withGap(state.gaps, gap) };
}

function repairWhole(state: StreamState, step: Step): StreamState {
  const { open } = state.holes;
  if (open.length === 0) return state;
  const isWhole = (hole: Hole) => audioWithMargins(hole, state).endFrame <= state.headFrame;
  return repair(state, open.filter(isWhole), step);
}

function repair(state: StreamState, whole: readonly Hole[], step: Step): StreamState {
  for (const hole of whole) step.effects.push({ type: 'repair', hole });
  const open = state.holes.open.filter(hole => !whole.includes(hole));
  return { ...state, holes: { ...state.holes, open } };
}

function holeEvent(
  { reported }: StreamState,
  { startFrame, endFrame }: FrameRange,
  cause: HoleEvent['cause'],
) {
  const { time } = reported;
  return { type: 'hole', cause, ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time) } as const;
}

function audioWithMargins(hole: FrameRange, { settings, format }: StreamState): FrameRange {
  const { marginSeconds = 0 } = settings.fallback ?? {};
  return audioOfHole(hole, { marginSeconds, sampleRate: format.sampleRate });
}
