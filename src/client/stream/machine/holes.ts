import { type FrameRange, rangeWithout, secondsAt } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import { audioOfHole, type Hole, type QuerySpan, type StreamHoleCause, splitByQuery } from '../fallback.ts';
import { audioFrames, withGap } from '../recovery/sourceGaps.ts';
import { droppedWarning } from '../status.ts';
import type { Holes, StreamEffect, StreamState, StreamStep } from './model.ts';
import { chain, status, step } from './steps.ts';

/** Seconds of unstreamed audio that become one hole, so that its text comes early and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

/**
 * Reports the gap before new audio, and hands over the holes whose audio is complete.
 *
 * @param state with the end of the new audio as its head
 * @param endFrame end of the audio before
 * @param startFrame start of the new audio
 */
export function extend(state: StreamState, endFrame: number, startFrame: number): StreamStep {
  const extended = chain(withGapBefore(state, endFrame, startFrame), repairWhole);
  const { unstreamed, format, headFrame } = state;
  const isLong = unstreamed && headFrame - unstreamed.startFrame >= MAX_HOLE_SECONDS * format.sampleRate;
  return isLong ? chain(extended, addUnstreamed) : extended;
}

/** Makes holes of the parts of a range that are audio and no holes yet: one for each query. */
export function addHoles(state: StreamState, range: FrameRange, cause: StreamHoleCause): StreamStep {
  const { holes, gaps, format, settings } = state;
  const added = rangeWithout(range, holes.known)
    .flatMap(part => splitByQuery(part, holes.queries))
    .filter(({ startFrame, endFrame }) => audioFrames(gaps, startFrame, endFrame) > 0)
    .map(part => ({ ...part, event: holeEvent(state, part, cause) }));
  if (added.length === 0) return step(state);
  const known = [...holes.known, ...added];
  // Without a repair the audio is not kept: there may be no room for it.
  const open = settings.fallback ? [...holes.open, ...added] : holes.open;
  const effects = added.flatMap((hole): StreamEffect[] => [
    ...(settings.fallback ? [{ type: 'keep', range: audioWithMargins(hole, state) } as const] : []),
    ...(cause === 'dropped' ? [status(droppedWarning(hole, format.sampleRate))] : []),
    { type: 'transcript', event: hole.event },
  ]);
  return step({ ...state, holes: { ...holes, known, open } }, ...effects);
}

/** Forgets holes before a frame, where no further ones are found. */
export function withSettled(holes: Holes, frame: number): Holes {
  if (holes.known.length === 0) return holes;
  return { ...holes, known: holes.known.filter(({ endFrame }) => endFrame > frame) };
}

/** Makes holes of all audio from a frame on: nothing is streamed any more. */
export function leaveUnstreamed(state: StreamState, startFrame: number, cause: StreamHoleCause): StreamStep {
  return addUnstreamed({ ...state, unstreamed: { startFrame, cause } });
}

/** Makes holes of the unstreamed audio so far. */
export function addUnstreamed(state: StreamState): StreamStep {
  const { unstreamed, headFrame, settings } = state;
  if (!unstreamed) return step(state);
  const { startFrame, cause } = unstreamed;
  return chain(addHoles(state, { startFrame, endFrame: headFrame }, cause), after => {
    const holes = withSettled(after.holes, headFrame);
    const next = { ...after, holes, unstreamed: { startFrame: headFrame, cause } };
    // Holes keep their audio until it is repaired. Without a fallback it stays in the spool, for a later process.
    return settings.fallback ? step(next, { type: 'release', frame: headFrame }) : step(next);
  });
}

/** Hands over all holes that are left, and waits for their text: no more audio comes. */
export function repairRest(state: StreamState): StreamStep {
  return chain(addUnstreamed(state), after => {
    const repaired = repair({ ...after, phase: 'repairing', current: undefined }, after.holes.open);
    return { ...repaired, effects: [...repaired.effects, { type: 'awaitRepairs' }] };
  });
}

/** Sets the query of the audio from a frame on. */
export function withQuery(state: StreamState, span: QuerySpan, isRefusal = false): StreamStep {
  const queries = [...state.holes.queries, span];
  return step({ ...state, holes: { ...state.holes, queries } }, { type: 'query', isRefusal, ...span });
}

function withGapBefore(state: StreamState, startFrame: number, endFrame: number): StreamStep {
  if (startFrame >= endFrame) return step(state);
  const gap = { startFrame, endFrame };
  const event = holeEvent(state, gap, 'gap');
  return step({ ...state, gaps: withGap(state.gaps, gap) }, { type: 'transcript', event });
}

function repairWhole(state: StreamState): StreamStep {
  const { open } = state.holes;
  if (open.length === 0) return step(state);
  return repair(
    state,
    open.filter(hole => audioWithMargins(hole, state).endFrame <= state.headFrame),
  );
}

function repair(state: StreamState, whole: readonly Hole[]): StreamStep {
  const open = state.holes.open.filter(hole => !whole.includes(hole));
  const effects = whole.map((hole): StreamEffect => ({ type: 'repair', hole }));
  return step({ ...state, holes: { ...state.holes, open } }, ...effects);
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
