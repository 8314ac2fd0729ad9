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
import { isLive, withPressure } from './flow.ts';
import type { Link, Step, StreamState, StreamView } from './model.ts';
import { endFrameOf, linkOf, reportOf, setLinkTimer, setTimer, withLink } from './steps.ts';

/** Bytes that may wait in the socket. More waits in the journal, where it can still be dropped. */
const SOCKET_WINDOW_BYTES = 64 * 1024;

/**
 * Bytes of audio sent ahead of `connected`, and how many more with each answer to a ping. A service that looks for a
 * recogniser takes so little without reading on and keeps answering; a service that stops answering is gone. Without any
 * audio it might close the connection.
 */
export const AHEAD_BYTES = { first: 64 * 1024, perPong: 8 * 1024 } as const;

/** Sends waiting audio over the current link, or one beside it, as far as it can go out now. The last audio ends the link. */
export function sendWaiting(state: StreamState, step: Step, to = state.current): StreamState {
  const { format, limits } = state;
  const { view, effects } = step;
  if (!to) return state;
  const roomBytes = roomOf(to, view);
  const waiting = roomBytes > 0 ? audioFrames(state.gaps, to.sentFrame, endFrameOf(state)) : 0;
  if (waiting === 0) return endIfSent(state, to, step);
  const mostFrames = Math.max(1, Math.floor(Math.min(roomBytes, MAX_CHUNK_BYTES) / bytesPerFrame(format)));
  // What a link beside the current one hears is never long.
  const backlog = to.heard ? undefined : backlogOf(state, waiting, view.nowMs);
  // Called for each block: without a backlog the state is not copied.
  const bounded = to.heard || backlog === state.backlog ? state : { ...state, backlog };
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
    timeMap: skipped === 0 ? timeMap : withJump(timeMap, sentFrames, skipped),
    aheadBytes: to.aheadBytes - bytes.length,
  };
  effects.push({ type: 'send', link: link.id, chunk });
  // A chunk ends at a gap of the source, and may be shorter than allowed.
  const paced = backlog
    ? { ...bounded, backlog: withoutFrames(backlog, frames, limits, view.nowMs) }
    : bounded;
  return endIfSent(withLink(paced, link), link, step);
}

/** Sends waiting audio over the link that hears it beside the current one, if there is one. */
export function sendBeside(state: StreamState, step: Step): StreamState {
  const { successor } = state;
  return successor?.heard ? sendWaiting(state, step, successor) : state;
}

/** Sends what belongs to a link: only the current one, and one beside it, get further audio. */
export function sendRest(state: StreamState, id: number, step: Step): StreamState {
  if (id === state.current?.id) return withPressure(sendWaiting(state, step), step);
  if (id === state.successor?.id) return sendBeside(state, step);
  const link = linkOf(state, id);
  return link?.isClosing ? endAudio(state, link, step) : state;
}

/** Ends the audio of a link once all that belongs to it is sent. */
export function drain(state: StreamState, link: Link, step: Step): StreamState {
  const closing = withLink(state, { ...link, isClosing: true });
  return link.id === state.current?.id ? sendWaiting(closing, step) : sendRest(closing, link.id, step);
}

/** Sends silence that the source does not have, so that the service does not close for want of audio. */
export function pad(state: StreamState, link: Link, seconds: number, { effects }: Step): StreamState {
  if (!takesAudio(link)) return state;
  const frames = Math.round(seconds * state.format.sampleRate);
  effects.push({ type: 'pad', link: link.id, frames });
  const timeMap = withPad(link.timeMap, link.sentFrames, frames);
  return withLink(state, { ...link, sentFrames: link.sentFrames + frames, timeMap });
}

function endIfSent(state: StreamState, link: Link, step: Step): StreamState {
  return link.isClosing && link.sentFrame >= endFrameOf(state) ? endAudio(state, link, step) : state;
}

function endAudio(state: StreamState, link: Link, step: Step): StreamState {
  if (!takesAudio(link)) return state;
  step.effects.push({ type: 'sendEnd', link: link.id });
  // While no recogniser is ready, the timeout for that applies.
  if (link.isReady) setLinkTimer(link, 'final', step);
  // The end of a session before another query is not the end of the audio.
  if (state.nextQueries.length === 0) reportOf(link, { type: 'draining' }, state, step);
  return withLink(state, { ...link, phase: 'draining' });
}

/** Returns whether the service takes audio now. */
function takesAudio({ phase }: Link): boolean {
  return phase === 'open' || phase === 'streaming';
}

/** Returns the bytes of audio that a link takes now. */
function roomOf(link: Link, view: StreamView): number {
  if (!takesAudio(link) || view.bufferedBytes(link.id) >= SOCKET_WINDOW_BYTES) return 0;
  return link.isReady ? Number.POSITIVE_INFINITY : Math.max(0, link.aheadBytes);
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
