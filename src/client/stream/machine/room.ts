import { OverflowError } from '../../serviceErrors.ts';
import { timeGridFrames } from './resume.ts';
import { type SourceGaps, toAudio, toSource } from './sourceGaps.ts';

/** Room made at once, in seconds and as a share of what may be kept: one hole instead of many slivers. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

export interface RoomOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds of audio that may be kept. */
  readonly maxSeconds: number;
  readonly gaps: SourceGaps;
}

/** Returns the frame of the source before which audio has to be dropped, when there is too much of it up to the head. */
export function roomFrame(headFrame: number, { sampleRate, maxSeconds, gaps }: RoomOptions): number {
  const maxFrames = maxSeconds * sampleRate;
  const room = Math.min(maxFrames, Math.max(MIN_ROOM_SECONDS * sampleRate, maxFrames * ROOM_SHARE));
  const frame = toSource(gaps, Math.ceil(toAudio(gaps, headFrame) - maxFrames + room));
  const grid = timeGridFrames(sampleRate);
  return Math.ceil(frame / grid) * grid;
}

/** Returns the error of a journal that is full. */
export function overflowError(maxSeconds: number): OverflowError {
  return new OverflowError('overflow', `More than ${maxSeconds} s of audio have no text yet.`, {
    advice:
      "Pass the gate to a source that can wait; for one that cannot, raise the option 'maxBufferedSeconds'.",
  });
}
