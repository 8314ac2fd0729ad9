import type { FrameRange } from '../../../audio/format/frameRange.ts';
import { OverflowError } from '../../serviceErrors.ts';
import { timeGridFrames } from '../recovery/resume.ts';
import type { SourceGaps } from '../recovery/sourceGaps.ts';
import type { StreamWarning } from '../status.ts';

/** Room made at once, in seconds and as a share of what may be kept: one hole instead of many slivers. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

export interface RoomOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** Seconds of audio that may be kept. */
  readonly maxSeconds: number;
  readonly gaps: Pick<SourceGaps, 'toAudio' | 'toSource'>;
}

/** Returns the frame of the source before which audio has to be dropped, when there is too much of it up to the head. */
export function roomFrame(headFrame: number, { sampleRate, maxSeconds, gaps }: RoomOptions): number {
  const maxFrames = maxSeconds * sampleRate;
  const room = Math.min(maxFrames, Math.max(MIN_ROOM_SECONDS * sampleRate, maxFrames * ROOM_SHARE));
  const frame = gaps.toSource(Math.ceil(gaps.toAudio(headFrame) - maxFrames + room));
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

/** Returns the warning about audio that was dropped. */
export function droppedWarning({ startFrame, endFrame }: FrameRange, sampleRate: number): StreamWarning {
  const frames = endFrame - startFrame;
  const seconds = (frames / sampleRate).toFixed(1);
  const message = `${seconds} s of audio from frame ${startFrame} on were dropped because the buffer was full. Raise 'maxBufferedSeconds', or pass a gate.`;
  return { type: 'warning', code: 'dropped-audio', message, startFrame, frames };
}
