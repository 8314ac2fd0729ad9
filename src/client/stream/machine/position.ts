import { settledFrame } from '../recovery/reportedAudio.ts';
import type { StreamState, StreamView } from './model.ts';

type Position = Pick<StreamView, 'gaps' | 'headFrame'>;

/** Returns the frame of the source before which everything is final, silence or given up. */
export function settledFrameOf({ reported }: StreamState, { gaps }: Pick<StreamView, 'gaps'>): number {
  return settledFrame(reported, gaps);
}

/** Returns the frame of the source before which all audio was sent over the current link, or need not be sent. */
export function sentFrameOf(state: StreamState, view: Pick<StreamView, 'gaps'>): number {
  return state.current?.sentFrame ?? settledFrameOf(state, view);
}

/** Returns how many frames of audio are not sent. */
export function waitingFrames(state: StreamState, view: Position): number {
  return view.gaps.audioFrames(sentFrameOf(state, view), view.headFrame);
}

/** Returns how many frames of audio are kept because they have no text yet. */
export function unsettledFrames(state: StreamState, view: Position): number {
  const fromFrame = Math.max(settledFrameOf(state, view), state.droppedFrame);
  return view.gaps.audioFrames(fromFrame, view.headFrame);
}
