import { type FrameRange, rangeWithout, secondsAt } from '../../../audio/format/frameRange.ts';
import type { HoleEvent } from '../../../transcript/model/events.ts';
import { OverflowError } from '../../serviceErrors.ts';
import {
  audioOfHole,
  type Hole,
  holeCauseOf,
  mayBeRepaired,
  type QuerySpan,
  type StreamHoleCause,
  splitByQuery,
} from '../fallback.ts';
import { givenUp } from '../recovery/reportedAudio.ts';
import { timeGridFrames } from '../recovery/resume.ts';
import { audioFrames, toAudio, toSource, withGap } from '../recovery/sourceTime.ts';
import { droppedWarning } from '../status.ts';
import type { Holes, Step, StreamState } from './model.ts';
import { withPressure } from './sending.ts';
import { isStreaming, report, sentFrameOf, settledFrameOf, unsettledFrames } from './steps.ts';

/** Seconds of unstreamed audio that become one hole, so that its text comes early and less audio is kept. */
const MAX_HOLE_SECONDS = 3600;

/** Room made at once, in seconds and as a share of the limit, so that there is one hole instead of many short ones. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

/**
 * Reports the gap before new audio, and hands over the holes whose audio is complete.
 *
 * @param state with the end of the new audio as its head
 * @param endFrame end of the audio before
 * @param startFrame start of the new audio
 */
export function extend(state: StreamState, endFrame: number, startFrame: number, step: Step): StreamState {
  const extended = repairWhole(withGapBefore(state, endFrame, startFrame, step), step);
  const { phase, format, headFrame } = state;
  if (phase.type !== 'unstreamed') return extended;
  const isLong = headFrame - phase.startFrame >= MAX_HOLE_SECONDS * format.sampleRate;
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
function leaveUnstreamed(
  state: StreamState,
  startFrame: number,
  cause: StreamHoleCause,
  step: Step,
): StreamState {
  return addUnstreamed({ ...state, phase: { type: 'unstreamed', startFrame, cause } }, step);
}

/** Makes holes of the unstreamed audio so far. */
function addUnstreamed(state: StreamState, step: Step): StreamState {
  const { phase, headFrame, settings } = state;
  if (phase.type !== 'unstreamed') return state;
  const after = addHoles(state, { startFrame: phase.startFrame, endFrame: headFrame }, phase.cause, step);
  // Holes keep their audio until it is repaired. Without a fallback it stays in the spool, for a later process.
  if (settings.fallback) step.effects.push({ type: 'release', frame: headFrame });
  const holes = withSettled(after.holes, headFrame);
  return { ...after, holes, phase: { ...phase, startFrame: headFrame } };
}

/** Hands over all holes that are left, and waits for their text: no more audio comes. */
export function repairRest(state: StreamState, step: Step): StreamState {
  const added = addUnstreamed(state, step);
  const repairing = { ...added, phase: { type: 'repairing' }, current: undefined } as const;
  const rest = repair(repairing, added.holes.open, step);
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

/** Makes room when there is too much audio without text: drops the oldest, leaves all to the fallback, or fails. */
export function makeRoom(state: StreamState, step: Step): StreamState {
  const { settings, format } = state;
  const { maxBufferedSeconds, overflow } = settings;
  const maxFrames = maxBufferedSeconds * format.sampleRate;
  if (!isStreaming(state) || unsettledFrames(state) <= maxFrames) return state;
  switch (overflow) {
    case 'fail':
      return onFailure(state, overflowError(maxBufferedSeconds), step);
    case 'asyncOnly':
      return fallBack(state, { cause: 'async-only', error: overflowError(maxBufferedSeconds) }, step);
    case 'dropOldest':
      return dropOldest(state, step);
  }
}

function dropOldest(state: StreamState, step: Step): StreamState {
  const { settings, gaps, current, reported } = state;
  const droppedFrame = roomFrame(state);
  // Sent frames may still become final. They become a hole to be repaired only when the connection breaks.
  const frame = settings.fallback ? settledFrameOf(state) : droppedFrame;
  step.effects.push({ type: 'release', frame });
  const range = { startFrame: sentFrameOf(state), endFrame: droppedFrame };
  const dropped = addHoles({ ...state, droppedFrame }, range, 'dropped', step);
  if (!current) return { ...dropped, reported: givenUp(reported, droppedFrame, gaps) };
  return { ...dropped, current: { ...current, sentFrame: Math.max(current.sentFrame, droppedFrame) } };
}

/** Returns the frame of the source before which audio has to be dropped. */
function roomFrame({ settings, format, headFrame, gaps }: StreamState): number {
  const { sampleRate } = format;
  const maxFrames = settings.maxBufferedSeconds * sampleRate;
  const room = Math.min(maxFrames, Math.max(MIN_ROOM_SECONDS * sampleRate, maxFrames * ROOM_SHARE));
  const frame = toSource(gaps, Math.ceil(toAudio(gaps, headFrame) - maxFrames + room));
  const grid = timeGridFrames(sampleRate);
  return Math.ceil(frame / grid) * grid;
}

function overflowError(maxSeconds: number): OverflowError {
  return new OverflowError('overflow', `More than ${maxSeconds} s of audio have no text yet.`, {
    advice:
      "Pass the gate to a source that can wait; for one that cannot, raise the option 'maxBufferedSeconds'.",
  });
}

/** Ends streaming once all streamed audio has results. Holes still wait for their text. */
export function onStreamed(state: StreamState, step: Step): StreamState {
  step.effects.push({ type: 'stop' });
  return repairRest(state, step);
}

/** Ends streaming when no service accepts it: the fallback transcribes the rest, or the stream fails. */
export function onUnstreamed(state: StreamState, error: unknown, step: Step): StreamState {
  const isRepaired = state.settings.fallback && mayBeRepaired(error, state.accepted !== undefined);
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
  const left = leaveUnstreamed({ ...state, current: undefined }, settledFrameOf(state), cause, step);
  // A source that waits at the gate goes on.
  return withPressure(state.isFinishing ? repairRest(left, step) : left, step);
}

/** Ends everything with an error; audio without text becomes a hole. */
export function onFailure(state: StreamState, error: unknown, step: Step): StreamState {
  closeLinks(state, step);
  // A stream that was never connected has no holes: another attempt begins with the first frame.
  const isLeft = isStreaming(state) && state.accepted !== undefined;
  const left = isLeft
    ? leaveUnstreamed(state, settledFrameOf(state), holeCauseOf(error), step)
    : addUnstreamed(state, step);
  step.effects.push({ type: 'end', how: { error } });
  return { ...left, phase: { type: 'ended' } };
}

/** Ends everything at once. */
export function onClose(state: StreamState, step: Step): StreamState {
  closeLinks(state, step);
  step.effects.push({ type: 'end', how: 'left' });
  return { ...state, phase: { type: 'ended' } };
}

function closeLinks({ current }: StreamState, step: Step): void {
  if (current) report({ type: 'closed', code: 1000, reason: 'Stopped by the client' }, step);
  step.effects.push({ type: 'stop' });
}
