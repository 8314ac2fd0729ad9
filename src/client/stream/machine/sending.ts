import { bytesPerFrame } from '../../../audio/format/format.ts';
import { MAX_CHUNK_BYTES } from '../audioBlocks.ts';
import {
  availableFrames,
  type Bucket,
  bucketDelayMs,
  fullBucket,
  withoutFrames,
} from '../recovery/catchUp.ts';
import { audioFrames, withJump, withPad } from '../recovery/sourceTime.ts';
import type { Flow, Link, Step, StreamState, StreamView } from './model.ts';
import {
  endFrameOf,
  isStreaming,
  linkOf,
  report,
  reportOf,
  sentFrameOf,
  setLinkTimer,
  setTimer,
  unsettledFrames,
  waitingFrames,
  withLink,
} from './steps.ts';

/** Bytes that may wait in the socket. More waits in the journal, where it can still be dropped. */
const SOCKET_WINDOW_BYTES = 64 * 1024;

/**
 * Bytes of audio sent ahead of `connected`, and how many more with each answer to a ping. A service that looks for a
 * recogniser takes so little without reading on and keeps answering; a service that stops answering is gone. Without any
 * audio it might close the connection.
 */
export const AHEAD_BYTES = { first: 64 * 1024, perPong: 8 * 1024 } as const;

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

/** Sends waiting audio over the current link, as far as it can go out now. The last audio ends the link. */
export function sendWaiting(state: StreamState, step: Step): StreamState {
  const { format, limits, current: to } = state;
  const { view, effects } = step;
  if (!to) return state;
  const roomBytes = roomOf(to, view);
  const waiting = roomBytes > 0 ? audioFrames(state.gaps, to.sentFrame, endFrameOf(state)) : 0;
  if (waiting === 0) return endIfSent(state, to, step);
  const mostFrames = Math.max(1, Math.floor(Math.min(roomBytes, MAX_CHUNK_BYTES) / bytesPerFrame(format)));
  const backlog = backlogOf(state, waiting, view.nowMs);
  // Called for each block: without a backlog the state is not copied.
  const bounded = backlog === state.backlog ? state : { ...state, backlog };
  const wanted = Math.min(waiting, mostFrames);
  const allowed = backlog ? Math.min(wanted, availableFrames(backlog, limits, view.nowMs)) : wanted;
  if (backlog && allowed === 0) {
    // A tenth of a second of audio at a time: a timer for each frame would cost too much.
    const delayMs = bucketDelayMs(backlog, format.sampleRate / 10, limits, view.nowMs);
    setTimer('pace', Math.max(1, delayMs), step);
    return bounded;
  }
  const chunk = view.read(to.sentFrame, allowed);
  if (!chunk) return bounded;
  const { startFrame, frames, bytes } = chunk;
  const skipped = startFrame - to.sourceFrame;
  const { sentFrames, timeMap } = to;
  const link = {
    ...to,
    sentFrame: startFrame + frames,
    sourceFrame: startFrame + frames,
    sentFrames: sentFrames + frames,
    sentMs: view.nowMs,
    timeMap: skipped === 0 ? timeMap : withJump(timeMap, sentFrames, skipped),
    aheadBytes: to.aheadBytes - bytes.length,
  };
  // The rest follows once this chunk has left, so that only one is in memory.
  effects.push({ type: 'send', link: link.id, chunk, isMore: frames < waiting });
  // A chunk ends at a gap of the source, and may be shorter than allowed.
  const paced = backlog
    ? { ...bounded, backlog: withoutFrames(backlog, frames, limits, view.nowMs) }
    : bounded;
  return endIfSent(withLink(paced, link), link, step);
}

/** Sends what belongs to a link: only the current one gets further audio. */
export function sendRest(state: StreamState, id: number, step: Step): StreamState {
  if (id === state.current?.id) return withPressure(sendWaiting(state, step), step);
  const link = linkOf(state, id);
  return link?.isClosing ? endAudio(state, link, step) : state;
}

/** Ends the audio of a link once all that belongs to it is sent. */
export function drain(state: StreamState, link: Link, step: Step): StreamState {
  const closing = withLink(state, { ...link, isClosing: true });
  return link.id === state.current?.id ? sendWaiting(closing, step) : sendRest(closing, link.id, step);
}

/** Sends silence that the source does not have, so that the service does not close for want of audio. */
export function pad(state: StreamState, link: Link, seconds: number, { effects, view }: Step): StreamState {
  if (!takesAudio(link)) return state;
  const frames = Math.round(seconds * state.format.sampleRate);
  effects.push({ type: 'pad', link: link.id, frames });
  const timeMap = withPad(link.timeMap, link.sentFrames, frames);
  const sentFrames = link.sentFrames + frames;
  return withLink(state, { ...link, sentFrames, sentMs: view.nowMs, timeMap });
}

function endIfSent(state: StreamState, link: Link, step: Step): StreamState {
  return link.isClosing && link.sentFrame >= endFrameOf(state) ? endAudio(state, link, step) : state;
}

function endAudio(state: StreamState, link: Link, step: Step): StreamState {
  if (!takesAudio(link)) return state;
  step.effects.push({ type: 'sendEnd', link: link.id });
  // While no recogniser is ready, the timeout for that applies.
  const { recognizer } = link.phase;
  if (recognizer) setLinkTimer(link, 'final', step);
  // The end of a session before another query is not the end of the audio.
  if (state.nextQueries.length === 0) reportOf(link, { type: 'draining' }, state, step);
  return withLink(state, { ...link, phase: { type: 'draining', recognizer } });
}

/** Returns whether the service takes audio now. */
function takesAudio({ phase }: Link): boolean {
  return phase.type === 'open' || phase.type === 'streaming';
}

/** Returns the bytes of audio that a link takes now. */
function roomOf(link: Link, view: StreamView): number {
  if (!takesAudio(link) || view.bufferedBytes(link.id) >= SOCKET_WINDOW_BYTES) return 0;
  return link.phase.recognizer ? Number.POSITIVE_INFINITY : Math.max(0, link.aheadBytes);
}

/**
 * Returns the bucket that bounds how fast a backlog is sent; undefined without a backlog, whose audio goes out as it comes.
 * A backlog begins with more than a burst, and is over below a tenth of it.
 */
function backlogOf(state: StreamState, waiting: number, nowMs: number): Bucket | undefined {
  const { limits } = state;
  // Without that distance each block would begin a new burst.
  if (waiting < limits.size / 10 || limits.framesPerMs === Number.POSITIVE_INFINITY) return undefined;
  // Only a live source has a backlog because something stood still.
  if (state.backlog || waiting <= limits.size || !isLive(state, nowMs)) return state.backlog;
  return fullBucket(limits, nowMs);
}

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
  const { flow, format } = state;
  const { nowMs } = step.view;
  const waiting = isStreaming(state) ? waitingFrames(state) : 0;
  const gates = wantedGates(state, waiting, step.view);
  if (nowMs - flow.reportedMs < PROGRESS_INTERVAL_MS) return held(state, gates, step);
  const sentFrame = isStreaming(state) ? sentFrameOf(state) : state.headFrame;
  const lagSeconds = waiting / format.sampleRate;
  report({ type: 'progress', sentFrame, bufferedFrames: waiting, lagSeconds }, step);
  return held({ ...state, flow: { ...flow, reportedMs: nowMs } }, gates, step);
}

/** Returns the gates to hold. Between the two limits of unsent audio nothing changes. */
function wantedGates(state: StreamState, waiting: number, view: StreamView): Flow['held'] {
  const { settings, format, flow, current } = state;
  const { maxBufferedSeconds } = settings;
  const buffered = current ? view.bufferedBytes(current.id) / bytesPerFrame(format) : 0;
  const unsettled = isStreaming(state) ? unsettledFrames(state) : 0;
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
