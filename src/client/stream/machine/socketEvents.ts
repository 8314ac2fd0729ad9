import { messageOf } from '../../../base/errors.ts';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import { decodeMessage, UnknownMessageError } from '../../../protocol/messages.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { closeError, type SocketClose } from '../../closeErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import { withLaterReturn } from '../recovery/reconnect.ts';
import { toSourceTime } from '../recovery/sourceTime.ts';
import type { StreamWarning } from '../status.ts';
import { onBreak, onConnected, withRecognizer } from './links.ts';
import type { Link, Step, StreamEvent, StreamState } from './model.ts';
import { AHEAD_BYTES, sendRest } from './sending.ts';
import { disconnect, linkOf, reportOf, setLinkTimer, stopLinkTimer, withLink, withoutLink } from './steps.ts';
import { onExpired, startRollOver } from './timers.ts';
import { onHeard, onRead, onRest, onWords } from './words.ts';

/** Takes an event of a link. One that is not known any more has no effect. */
export function onLink(
  state: StreamState,
  event: Extract<StreamEvent, { readonly link: number }>,
  step: Step,
): StreamState {
  const link = linkOf(state, event.link);
  if (!link) return state;
  switch (event.type) {
    case 'opened':
      stopLinkTimer(link, 'connect', step);
      setLinkTimer(link, 'ready', step);
      setLinkTimer(link, 'ping', step);
      reportOf(link, { type: 'open' }, state, step);
      return sendRest(withLink(state, { ...link, phase: 'open' }), link.id, step);
    case 'text':
      return onText(state, { ...link, hasReceived: true }, event.text, step);
    case 'binary':
      warn(link, 'binary-message', 'The service sent a binary frame.', state, step);
      return withLink(state, { ...link, hasReceived: true });
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
  const { pingedFrames: readFrames, aheadBytes } = link;
  const answered = { ...link, readFrames, aheadBytes: aheadBytes + AHEAD_BYTES.perPong };
  stopLinkTimer(link, 'pong', step);
  setLinkTimer(link, 'ping', step);
  const next = withLink(state, answered);
  const read = link.id === next.current?.id ? onRead(next, answered, step) : next;
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
    const begun = link.isReady ? next : withRecognizer(next, answered, step.view);
    return sendHeldBack(onWords(begun, begun.current ?? answered, words, step), link, step);
  }
  const isHeard = link.heard && link.id === next.successor?.id;
  return sendHeldBack(isHeard ? onHeard(next, answered, words) : next, link, step);
}

/** The service is ready: the current link gets its words, a successor waits for a pause. */
function onFirstMessage(state: StreamState, link: Link, event: ConnectedEvent, step: Step): StreamState {
  if (link.connected) {
    warn(link, 'repeated-connected', 'The service sent `connected` again.', state, step);
    return withLink(state, link);
  }
  const ready = becomeReady({ ...link, connected: event, connectedMs: step.view.nowMs }, step);
  const next = withLink(state, ready);
  reportOf(link, { type: 'connected', id: event.id }, next, step);
  if (link.id === next.current?.id) {
    return sendHeldBack(onConnected(next, ready, event, step), link, step);
  }
  if (link.id === next.successor?.id && !link.heard) startRollOver('successor', next, step);
  return sendHeldBack(next, link, step);
}

/** Sends the audio that was held back until a recogniser was ready. */
function sendHeldBack(state: StreamState, { id, isReady }: Link, step: Step): StreamState {
  return isReady ? state : sendRest(state, id, step);
}

/** Restarts the timeouts at a message of a recogniser. */
function becomeReady(link: Link, step: Step): Link {
  const phase = link.phase === 'open' ? 'streaming' : link.phase;
  if (!link.isReady) stopLinkTimer(link, 'ready', step);
  if (phase === 'draining') setLinkTimer(link, 'final', step);
  return { ...link, phase, isReady: true };
}

/** Starts the timeout of words that are not final: a service that answers pings but returns no words has failed. */
function withTail(link: Link, hasTail: boolean, step: Step): Link {
  if (hasTail) setLinkTimer(link, 'stall', step);
  else if (link.tailFrames !== undefined) stopLinkTimer(link, 'stall', step);
  return { ...link, tailFrames: hasTail ? link.sentFrames : undefined };
}

function onClosed(state: StreamState, link: Link, close: SocketClose, step: Step): StreamState {
  const { opened, code, reason } = close;
  const isGood = link.phase === 'draining' && isGoodEnd(link, close);
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
  failure: StreamFailure | undefined,
  step: Step,
): StreamState {
  const { current, successor, settings, services } = state;
  disconnect(link, step);
  if (link.id === current?.id) {
    return failure ? onBreak(state, failure.error, step) : onRest(state, current, step);
  }
  const without = withoutLink(state, link.id);
  if (link.id !== successor?.id || link.heard) return without;
  // The second connection failed: another attempt follows later.
  const { standby } = settings;
  const isReturn = standby && link.place !== services.place;
  const next = isReturn ? { ...without, services: withLaterReturn(services, standby.returnMs) } : without;
  startRollOver('retry', next, step);
  return next;
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
