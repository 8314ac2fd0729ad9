import { OverflowError } from '../../serviceErrors.ts';
import { givenUp } from '../recovery/reportedAudio.ts';
import { timeGridFrames } from '../recovery/resume.ts';
import { toAudio, toSource } from '../recovery/sourceTime.ts';
import { fallBack, onFailure } from './ending.ts';
import { addHoles } from './holes.ts';
import type { Step, StreamState } from './model.ts';
import { sentFrameOf, settledFrameOf, unsettledFrames } from './steps.ts';

/** Room made at once, in seconds and as a share of the limit, so that there is one hole instead of many short ones. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

/** Makes room when there is too much audio without text: drops the oldest, leaves all to the fallback, or fails. */
export function makeRoom(state: StreamState, step: Step): StreamState {
  const { settings, format, phase } = state;
  const { maxBufferedSeconds, overflow } = settings;
  const maxFrames = maxBufferedSeconds * format.sampleRate;
  if (phase !== 'streaming' || unsettledFrames(state) <= maxFrames) return state;
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
