import { bytesPerFrame } from '../../../audio/format/format.ts';
import type { Flow, Step, StreamState, StreamView } from './model.ts';
import { report, sentFrameOf, unsettledFrames, waitingFrames } from './steps.ts';

/** Seconds of unsent audio above which the gate is held, and below which it is released. */
export const GATE_SECONDS = { hold: 4, release: 1 } as const;

/**
 * Seconds of a journal that is large enough for a source to wait for what is settled: silence after a minute, words earlier.
 * With a smaller one a recogniser may need more audio before a final.
 */
const LARGE_BUFFER_SECONDS = 150;

/** Minimum interval of `progress` statuses, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1000;

/** Seconds of audio a second above which a source can wait. */
const LIVE_SPEED = 1.5;

export function startOfFlow(nowMs: number): Flow {
  return { arrivedFrames: 0, firstMs: 0, reportedMs: nowMs, isAhead: false, held: 'none' };
}

/** Counts audio that comes from the source. */
export function withArrived(flow: Flow, frames: number, nowMs: number): Flow {
  const firstMs = flow.arrivedFrames === 0 ? nowMs : flow.firstMs;
  return { ...flow, firstMs, arrivedFrames: flow.arrivedFrames + frames };
}

/** Notes when the source is faster than real time. */
export function withPace(state: StreamState, step: Step): StreamState {
  const { flow } = state;
  if (flow.isAhead || isPaced(state, holdSeconds(state), step.view.nowMs)) return state;
  // The next update holds the gate of the demand as well.
  return held({ ...state, flow: { ...flow, isAhead: true } }, 'none', step);
}

/** Returns whether the source gives audio at its own time, as far as its pace shows. */
export function isLive(state: StreamState, nowMs: number): boolean {
  return isPaced(state, state.settings.catchUp.burstSeconds, nowMs);
}

/** Reports progress when it is due, and holds or releases the gates. */
export function withPressure(state: StreamState, step: Step): StreamState {
  const { flow, format, phase } = state;
  const { nowMs } = step.view;
  const isStreaming = phase === 'streaming';
  const waiting = isStreaming ? waitingFrames(state) : 0;
  const gates = wantedGates(state, waiting, step.view);
  if (nowMs - flow.reportedMs < PROGRESS_INTERVAL_MS) return held(state, gates, step);
  const sentFrame = isStreaming ? sentFrameOf(state) : state.headFrame;
  const lagSeconds = waiting / format.sampleRate;
  report({ type: 'progress', sentFrame, bufferedFrames: waiting, lagSeconds }, step);
  return held({ ...state, flow: { ...flow, reportedMs: nowMs } }, gates, step);
}

/** Returns the gates to hold. Between the two limits of unsent audio nothing changes. */
function wantedGates(state: StreamState, waiting: number, view: StreamView): Flow['held'] {
  const { settings, format, flow, current, phase } = state;
  const { maxBufferedSeconds } = settings;
  const isStreaming = phase === 'streaming';
  const buffered = isStreaming && current ? view.bufferedBytes(current.id) / bytesPerFrame(format) : 0;
  const unsettled = isStreaming ? unsettledFrames(state) : 0;
  const most = holdSeconds(state);
  const unsentSeconds = (waiting + buffered) / format.sampleRate;
  const roomSeconds = maxBufferedSeconds - unsettled / format.sampleRate;
  const isLargeBuffer = maxBufferedSeconds >= LARGE_BUFFER_SECONDS;
  if (unsentSeconds > most || (isLargeBuffer && roomSeconds < most)) {
    if (flow.held !== 'none') return flow.held;
    return flow.isAhead ? 'all' : 'given';
  }
  return unsentSeconds * GATE_SECONDS.hold < most * GATE_SECONDS.release ? 'none' : flow.held;
}

function held(state: StreamState, gates: Flow['held'], step: Step): StreamState {
  if (gates === state.flow.held) return state;
  step.effects.push({ type: 'hold', gates });
  return { ...state, flow: { ...state.flow, held: gates } };
}

/** Seconds of unsent audio above which the source has to wait: a small journal must not overflow before. */
function holdSeconds({ settings }: StreamState): number {
  return Math.min(GATE_SECONDS.hold, settings.maxBufferedSeconds / 2);
}

function isPaced({ flow, format }: StreamState, burstSeconds: number, nowMs: number): boolean {
  const elapsedSeconds = (nowMs - flow.firstMs) / 1000;
  return flow.arrivedFrames / format.sampleRate <= elapsedSeconds * LIVE_SPEED + burstSeconds;
}
