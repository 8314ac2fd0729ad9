import type { FrameRange } from '../../../audio/format/frameRange.ts';
import { timeGridFrames } from '../recovery/resume.ts';
import type { SourceGaps } from '../recovery/sourceGaps.ts';
import type { StreamWarning } from '../status.ts';
import { OverflowError } from '../streamErrors.ts';

/** How much is left out at once, of all that may be kept: one hole, not many slivers. */
const MIN_ROOM_SECONDS = 1;
const ROOM_SHARE = 0.01;

export interface RoomOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** How much may be kept. */
  readonly maxSeconds: number;
  readonly gaps: Pick<SourceGaps, 'toAudio' | 'toSource'>;
}

/** The frame of the source before which audio has to go, when there is too much of it up to a frame. */
export function roomFrame(headFrame: number, { sampleRate, maxSeconds, gaps }: RoomOptions): number {
  const maxFrames = maxSeconds * sampleRate;
  const room = Math.min(maxFrames, Math.max(MIN_ROOM_SECONDS * sampleRate, maxFrames * ROOM_SHARE));
  const frame = gaps.toSource(Math.ceil(gaps.toAudio(headFrame) - maxFrames + room));
  const grid = timeGridFrames(sampleRate);
  return Math.ceil(frame / grid) * grid;
}

export function overflowError(maxSeconds: number): OverflowError {
  return new OverflowError(
    'overflow',
    `keep audio: wanted at most ${maxSeconds} s without text, found more`,
    {
      advice: 'Give a source that can wait the gate; for one that cannot, raise maxBufferedSeconds.',
    },
  );
}

export function droppedWarning({ startFrame, endFrame }: FrameRange, sampleRate: number): StreamWarning {
  const frames = endFrame - startFrame;
  const seconds = (frames / sampleRate).toFixed(1);
  const message = `keep audio: no room, left out ${seconds} s from frame ${startFrame}`;
  return { type: 'warning', code: 'dropped-audio', message, startFrame, frames };
}
