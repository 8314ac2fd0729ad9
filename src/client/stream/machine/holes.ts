import type { FrameRange } from '../../../audio/format/frameRange.ts';
import { audioOfHole, type Hole, type StreamHoleCause } from '../fallback.ts';
import { holeEvent, holesOf, wholeHoles, withSettled } from '../recovery/holes.ts';
import { withGap } from '../recovery/sourceGaps.ts';
import { droppedWarning } from '../status.ts';
import type { QueryRange, StreamEffect, StreamState, StreamStep } from './model.ts';
import { chain, status, step } from './steps.ts';

/** Seconds of unstreamed audio that become one hole, so that its text comes early and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

/** Takes audio that ends at a frame, and reports the gap before it; hands over the holes whose audio is complete. */
export function extend(state: StreamState, { startFrame, endFrame }: FrameRange): StreamStep {
  const { headFrame, unstreamed, format } = state;
  const gap = { startFrame: headFrame, endFrame: startFrame };
  const gaps = headFrame < startFrame ? withGap(state.gaps, gap) : state.gaps;
  const event = headFrame < startFrame ? holeEvent(gap, 'gap', sourceOf(state)) : undefined;
  const reported: StreamEffect[] = event ? [{ type: 'transcript', event }] : [];
  const extended = chain(step({ ...state, headFrame: endFrame, gaps }, ...reported), repairWhole);
  const isLong = unstreamed && endFrame - unstreamed.startFrame >= MAX_HOLE_SECONDS * format.sampleRate;
  return isLong ? chain(extended, addUnstreamed) : extended;
}

/** Makes holes of the parts of a range that are none yet. */
export function addHoles(state: StreamState, range: FrameRange, cause: StreamHoleCause): StreamStep {
  const { holes, format, settings } = state;
  const added = holesOf(range, cause, holes, sourceOf(state));
  if (added.length === 0) return step(state);
  const known = [...holes.known, ...added];
  // Without a repair the audio is not kept: there may be no room for it.
  const open = settings.fallback ? [...holes.open, ...added] : holes.open;
  const effects = added.flatMap((hole): StreamEffect[] => [
    ...(settings.fallback ? [{ type: 'keep', range: audioOfHole(hole, marginOf(state)) } as const] : []),
    ...(cause === 'dropped' ? [status(droppedWarning(hole, format.sampleRate))] : []),
    { type: 'transcript', event: hole.event },
  ]);
  return step({ ...state, holes: { ...holes, known, open } }, ...effects);
}

/** Makes holes of all audio from a frame on: nothing is streamed any more. */
export function leaveUnstreamed(state: StreamState, startFrame: number, cause: StreamHoleCause): StreamStep {
  return addUnstreamed({ ...state, unstreamed: { startFrame, cause } });
}

/** Makes holes of the unstreamed audio so far. */
export function addUnstreamed(state: StreamState): StreamStep {
  const { unstreamed, headFrame } = state;
  if (!unstreamed) return step(state);
  const { startFrame, cause } = unstreamed;
  const added = addHoles(state, { startFrame, endFrame: headFrame }, cause);
  const holes = withSettled(added.state.holes, headFrame);
  return { ...added, state: { ...added.state, holes, unstreamed: { startFrame: headFrame, cause } } };
}

/** Hands over all holes that are left, and waits for their text: no more audio comes. */
export function repairRest(state: StreamState): StreamStep {
  return chain(addUnstreamed(state), after => {
    const repaired = repair({ ...after, phase: 'repairing', current: undefined }, after.holes.open);
    return { ...repaired, effects: [...repaired.effects, { type: 'awaitRepairs' }] };
  });
}

/** Sets the query of the audio from a frame on. */
export function withQuery(state: StreamState, range: QueryRange, isRefusal = false): StreamStep {
  const { holes, settings } = state;
  const { startFrame, change } = range;
  const queries = [...holes.queries, { startFrame, query: { ...settings.query, ...change } }];
  return step({ ...state, holes: { ...holes, queries } }, { type: 'query', isRefusal, ...range });
}

function repairWhole(state: StreamState): StreamStep {
  const { holes, headFrame } = state;
  if (holes.open.length === 0) return step(state);
  return repair(state, wholeHoles(holes, headFrame, marginOf(state)));
}

function repair(state: StreamState, whole: readonly Hole[]): StreamStep {
  const open = state.holes.open.filter(hole => !whole.includes(hole));
  const effects = whole.map((hole): StreamEffect => ({ type: 'repair', hole }));
  return step({ ...state, holes: { ...state.holes, open } }, ...effects);
}

function marginOf({ settings, format }: StreamState) {
  return { marginSeconds: settings.fallback?.marginSeconds ?? 0, sampleRate: format.sampleRate };
}

function sourceOf({ settings, format, gaps }: StreamState) {
  return { sampleRate: format.sampleRate, startTs: settings.query.startTs, gaps };
}
