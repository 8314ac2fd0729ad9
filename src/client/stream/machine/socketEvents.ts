import { messageOf } from '../../../base/errors.ts';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import { decodeMessage, UnknownMessageError } from '../../../protocol/messages.ts';
import type { ConnectedEvent, FinalEvent } from '../../../transcript/model/events.ts';
import { closeError, type SocketClose } from '../../closeErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import { toSourceTime } from '../recovery/sourceTime.ts';
import type { StreamWarning } from '../status.ts';
import { onBreak, onConnected, withRecognizer } from './links.ts';
import type { Link, Step, StreamEvent, StreamState } from './model.ts';
import { AHEAD_BYTES, sendRest } from './sending.ts';
import { disconnect, linkOf, reportOf, setLinkTimer, stopLinkTimer, withLink, withoutLink } from './steps.ts';
import { onExpired, pinged, startRollOver } from './timers.ts';
import { onRead, onRest, onWords } from './words.ts';

/** Takes an event of a link. One that is not known any more has no effect. */
export function onLink(
  before: StreamState,
  event: Extract<StreamEvent, { readonly link: number }>,
  step: Step,
): StreamState {
  const isIdleClose = event.type === 'closed' && event.close.reason === CLOSE.idle.reason;
  const state = isIdleClose ? before : withHeld(before, event.link, step);
  const link = linkOf(state, event.link);
  if (!link) return state;
  switch (event.type) {
    case 'opened':
      stopLinkTimer(link, 'connect', step);
      setLinkTimer(link, 'ready', step);
      setLinkTimer(link, 'ping', step);
      reportOf(link, { type: 'open' }, state, step);
      return sendRest(withLink(state, { ...link, phase: { type: 'open' } }), link.id, step);
    case 'text':
      return onText(state, withMessage(link), event.text, step);
    case 'binary':
      warn(link, 'binary-message', 'The service sent a binary frame.', state, step);
      return withLink(state, withMessage(link));
    case 'pong':
      return onPong(state, link, step);
    case 'writable':
      return sendRest(state, link.id, step);
    case 'closed':
      return onClosed(state, link, event.close, step);
    case 'failed':
      return onEnded(state, link, { error: event.error }, step);
    case 'expired': {
      const next = onExpired(link, event.timer, state, step);
      return 'error' in next ? onEnded(state, link, next, step) : withLink(state, next);
    }
  }
}

function onPong(state: StreamState, link: Link, step: Step): StreamState {
  const { ping } = link;
  if (!ping) return state;
  const aheadBytes = link.aheadBytes + AHEAD_BYTES.perPong;
  const answered = { ...link, ping: undefined, readFrames: ping.sentFrames, aheadBytes };
  stopLinkTimer(link, 'pong', step);
  setLinkTimer(link, 'ping', step);
  const next = withLink(state, answered);
  const read = link.id === next.current?.id ? onRead(next, answered, ping.sourceFrame, step) : next;
  // Before a recogniser is ready, each answer makes room for more audio.
  return sendRest(read, link.id, step);
}

function onText(state: StreamState, link: Link, text: string, step: Step): StreamState {
  let message: ReturnType<typeof decodeMessage>;
  try {
    message = decodeMessage(text);
  } catch (error) {
    const code = error instanceof UnknownMessageError ? 'unknown-message' : 'malformed-message';
    warn(link, code, messageOf(error), state, step);
    return withLink(state, link);
  }
  const { event, warning } = message;
  if (event.type === 'connected') return onFirstMessage(state, link, event, step);
  const hasTail = event.type === 'partial' && event.elements.length > 0;
  const answered = withTail(becomeReady(link, step), hasTail, step);
  if (warning !== undefined) warn(link, 'corrected-final', warning, state, step);
  const time = { map: link.timeMap, sampleRate: state.format.sampleRate, startTs: link.startTs };
  const words = toSourceTime(event, time);
  const next = withLink(state, answered);
  if (link.id === next.current?.id) {
    // Some services send no `connected`.
    const begun = link.phase.recognizer ? next : withRecognizer(next, answered, step.view);
    if (words.type === 'final' && mayBeIdle(answered, state, step)) return hold(begun, words, step);
    return sendHeldBack(onWords(begun, begun.current ?? answered, words, step), link, step);
  }
  return sendHeldBack(next, link, step);
}

/** Milliseconds without audio after which a final may be the one that comes before an idle close. */
const QUIET_MS = 500;

/** Share of the time for the answer to a ping, after which the service may have received no audio for long. */
const LATE_PONG = 1 / 4;

/**
 * Returns whether a service may close a link for want of audio, since none was sent or none arrives. A page cannot know: it has
 * no pings.
 */
function mayBeIdle(
  { phase, sentMs, ping, timeouts }: Link,
  { settings }: StreamState,
  { view }: Step,
): boolean {
  if (phase.type === 'draining' || !settings.resume || !settings.platform.hasPings) return false;
  const isPongLate = ping && view.nowMs - ping.sentMs > timeouts.pongTimeoutMs * LATE_PONG;
  return isPongLate || view.nowMs - sentMs >= QUIET_MS;
}

/**
 * Holds a final of the current link until its next event. When that is an idle close, the final was cut off, and a recogniser
 * would mistake the rest without the sound before it: the next connection hears all of its audio again.
 */
function hold(state: StreamState, held: FinalEvent, step: Step): StreamState {
  const { current } = state;
  if (!current) return state;
  if (current.ping) return withLink(state, { ...current, held });
  stopLinkTimer(current, 'ping', step);
  return withLink(state, { ...pinged(current, state, step), held });
}

/** Takes the final that a link held. */
function withHeld(state: StreamState, id: number, step: Step): StreamState {
  const { current } = state;
  if (id !== current?.id || !current.held) return state;
  const link = { ...current, held: undefined };
  return onWords(withLink(state, link), link, current.held, step);
}

/** The service is ready: the current link gets its words, a successor waits for a pause. */
function onFirstMessage(state: StreamState, link: Link, event: ConnectedEvent, step: Step): StreamState {
  if (link.phase.recognizer?.connected) {
    warn(link, 'repeated-connected', 'The service sent `connected` again.', state, step);
    return withLink(state, link);
  }
  const ready = becomeReady(link, step, event);
  const next = withLink(state, ready);
  reportOf(link, { type: 'connected', id: event.id }, next, step);
  if (link.id === next.current?.id) {
    return sendHeldBack(onConnected(next, ready, event, step), link, step);
  }
  if (link.id === next.successor?.id) startRollOver('successor', next, step);
  return sendHeldBack(next, link, step);
}

/** Sends the audio that was held back until a recogniser was ready. */
function sendHeldBack(state: StreamState, { id, phase }: Link, step: Step): StreamState {
  return phase.recognizer ? state : sendRest(state, id, step);
}

/** Restarts the timeouts at a message of a recogniser. */
function becomeReady(link: Link, step: Step, connected = link.phase.recognizer?.connected): Link {
  const { type, recognizer: before } = link.phase;
  const recognizer = { sinceMs: before?.sinceMs ?? step.view.nowMs, connected };
  if (!before) stopLinkTimer(link, 'ready', step);
  if (type !== 'draining') return { ...link, phase: { type: 'streaming', recognizer } };
  setLinkTimer(link, 'final', step);
  return { ...link, phase: { type, recognizer } };
}

/** Notes that a message has come, which shows that the service lives. */
function withMessage(link: Link): Link {
  return link.ping ? { ...link, ping: { ...link.ping, hasReceived: true } } : link;
}

/** Starts the timeout of words that are not final: a service that answers pings but returns no words has failed. */
function withTail(link: Link, hasTail: boolean, step: Step): Link {
  if (hasTail) setLinkTimer(link, 'stall', step);
  else if (link.tailFrames !== undefined) stopLinkTimer(link, 'stall', step);
  return { ...link, tailFrames: hasTail ? link.sentFrames : undefined };
}

function onClosed(state: StreamState, link: Link, close: SocketClose, step: Step): StreamState {
  const { opened, code, reason } = close;
  const isGood = link.phase.type === 'draining' && isGoodEnd(link, close);
  const isShown = opened && !(isGood && state.nextQueries.length > 0);
  if (isShown) reportOf(link, { type: 'closed', code, reason }, state, step);
  return onEnded(state, link, isGood ? undefined : { error: closeError(close) }, step);
}

/** Returns whether a close is a good end: all words are final, or the service says that it is one. */
function isGoodEnd({ tailFrames }: Link, { code, reason }: SocketClose): boolean {
  if (code !== CLOSE.endOfInput.code || reason === CLOSE.idle.reason) return false;
  return tailFrames === undefined || reason === CLOSE.endOfInput.reason;
}

/** A link is over: complete, or failed. */
function onEnded(
  state: StreamState,
  link: Link,
  failure: (StreamFailure & { readonly waitedMs?: number }) | undefined,
  step: Step,
): StreamState {
  const { current, successor } = state;
  disconnect(link, step);
  if (link.id === current?.id) {
    return failure ? onBreak(state, failure.error, step, failure.waitedMs) : onRest(state, current, step);
  }
  const without = withoutLink(state, link.id);
  // The second connection failed: another attempt follows later.
  if (link.id === successor?.id) startRollOver('retry', without, step);
  return without;
}

function warn(
  link: Link,
  code: Exclude<StreamWarning['code'], 'dropped-audio'>,
  message: string,
  state: StreamState,
  step: Step,
): void {
  reportOf(link, { type: 'warning', code, message }, state, step);
}
