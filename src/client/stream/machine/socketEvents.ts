import { messageOf } from '../../../base/errors.ts';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import { decodeMessage, UnknownMessageError } from '../../../protocol/messages.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { closeError, type SocketClose } from '../../closeErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import { withLaterReturn } from '../recovery/services.ts';
import { toSourceTime } from '../recovery/timeMap.ts';
import type { StreamWarning } from '../status.ts';
import { onHeard } from './hedge.ts';
import { onBreak, onConnected, withRecognizer } from './links.ts';
import { type LinkStep, linkTimer, onExpired, shown, stopLinkTimer } from './linkTimers.ts';
import type { Link, StreamEffect, StreamEvent, StreamState, StreamStep, StreamView } from './model.ts';
import { AHEAD_BYTES, sendRest } from './sending.ts';
import { chain, linkOf, prepend, step, withLink, withoutLink } from './steps.ts';
import { startRollOver } from './waits.ts';
import { onRead, onRest, onWords } from './words.ts';

/** Returns the step after an event of a link. One that is not known any more has no effect. */
export function onLink(
  state: StreamState,
  event: Extract<StreamEvent, { readonly link: number }>,
  view: StreamView,
): StreamStep {
  const link = linkOf(state, event.link);
  if (!link) return step(state);
  switch (event.type) {
    case 'opened': {
      const opened = withLink(state, { ...link, phase: 'open' });
      const timers = [stopLinkTimer(link, 'connect'), linkTimer(link, 'ready'), linkTimer(link, 'ping')];
      const next = step(opened, ...timers, ...shown(opened, link, { type: 'open' }));
      return chain(next, after => sendRest(after, link.id, view));
    }
    case 'text':
      return onText(state, { ...link, hasReceived: true }, event.text, view);
    case 'binary':
      return warned(
        withLink(state, { ...link, hasReceived: true }),
        link,
        'binary-message',
        'The service sent a binary frame.',
      );
    case 'pong':
      return onPong(state, link, view);
    case 'writable':
      return sendRest(state, link.id, view);
    case 'closed':
      return onClosed(state, link, event.close, view);
    case 'failed':
      return onEnded(state, link, { error: event.error }, view);
    case 'expired': {
      const next = onExpired(link, event.timer, state);
      if ('error' in next) return onEnded(state, link, next, view);
      return step(withLink(state, next.link), ...next.effects);
    }
  }
}

function onPong(state: StreamState, link: Link, view: StreamView): StreamStep {
  const { pingedFrames: readFrames, aheadBytes } = link;
  const answered = { ...link, readFrames, aheadBytes: aheadBytes + AHEAD_BYTES.perPong };
  const next = step(withLink(state, answered), stopLinkTimer(link, 'pong'), linkTimer(link, 'ping'));
  const read = chain(next, after =>
    link.id === after.current?.id ? onRead(after, answered, view) : step(after),
  );
  // Before a recogniser is ready, each answer makes room for more audio.
  return chain(read, after => sendRest(after, link.id, view));
}

function onText(state: StreamState, link: Link, text: string, view: StreamView): StreamStep {
  let message: ReturnType<typeof decodeMessage>;
  try {
    message = decodeMessage(text);
  } catch (error) {
    const code = error instanceof UnknownMessageError ? 'unknown-message' : 'malformed-message';
    return warned(withLink(state, link), link, code, messageOf(error));
  }
  const { event, warning } = message;
  if (event.type === 'connected') return onFirstMessage(state, link, event, view);
  const ready = becomeReady(link);
  const heard = withTail(ready.link, event.type === 'partial' && event.elements.length > 0);
  const corrected = warning === undefined ? [] : warningOf(state, link, 'corrected-final', warning);
  const next = step(withLink(state, heard.link), ...ready.effects, ...heard.effects, ...corrected);
  const time = { map: link.timeMap, sampleRate: state.format.sampleRate, startTs: link.startTs };
  const taken = chain(next, after => {
    const words = () => toSourceTime(event, time);
    if (link.heard && link.id === after.successor?.id) return onHeard(after, heard.link, words());
    if (link.id !== after.current?.id) return step(after);
    // Some services send no `connected`.
    const begun = link.isReady ? after : withRecognizer(after, heard.link, view);
    return onWords(begun, begun.current ?? heard.link, words(), view);
  });
  return sendHeldBack(taken, link, view);
}

/** The service is ready: the current link gets its words, a successor waits for a pause. */
function onFirstMessage(state: StreamState, link: Link, event: ConnectedEvent, view: StreamView): StreamStep {
  if (link.connected) {
    return warned(withLink(state, link), link, 'repeated-connected', 'The service sent `connected` again.');
  }
  const ready = becomeReady({ ...link, connected: event, connectedMs: view.nowMs });
  const next = withLink(state, ready.link);
  const reports = shown(next, link, { type: 'connected', id: event.id });
  const taken = chain(step(next, ...ready.effects, ...reports), after => {
    if (link.id === after.current?.id) return onConnected(after, ready.link, event, view);
    if (link.id !== after.successor?.id || link.heard) return step(after);
    return step(after, startRollOver('successor', after));
  });
  return sendHeldBack(taken, link, view);
}

/** Sends the audio that was held back until a recogniser was ready. */
function sendHeldBack(taken: StreamStep, { id, isReady }: Link, view: StreamView): StreamStep {
  return isReady ? taken : chain(taken, after => sendRest(after, id, view));
}

/** Restarts the timeouts at a message of a recogniser. */
function becomeReady(link: Link): LinkStep {
  const phase = link.phase === 'open' ? 'streaming' : link.phase;
  return {
    link: { ...link, phase, isReady: true },
    effects: [
      ...(link.isReady ? [] : [stopLinkTimer(link, 'ready')]),
      ...(phase === 'draining' ? [linkTimer(link, 'final')] : []),
    ],
  };
}

/** Starts the timeout of words that are not final: a service that answers pings but returns no words has failed. */
function withTail(link: Link, hasTail: boolean): LinkStep {
  if (hasTail) return { link: { ...link, tailFrames: link.sentFrames }, effects: [linkTimer(link, 'stall')] };
  const effects = link.tailFrames === undefined ? [] : [stopLinkTimer(link, 'stall')];
  return { link: { ...link, tailFrames: undefined }, effects };
}

function onClosed(state: StreamState, link: Link, close: SocketClose, view: StreamView): StreamStep {
  const { opened, code, reason } = close;
  const isGood = link.phase === 'draining' && isGoodEnd(link, close);
  const isShown = opened && !(isGood && state.nextQueries.length > 0);
  const closed = isShown ? shown(state, link, { type: 'closed', code, reason }) : [];
  return prepend(closed, onEnded(state, link, isGood ? undefined : { error: closeError(close) }, view));
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
  view: StreamView,
): StreamStep {
  const { current, successor, settings } = state;
  const closing = { type: 'disconnect', link: link.id } as const;
  if (link.id === current?.id) {
    const ended = failure ? onBreak(state, failure.error, view) : onRest(state, current, view);
    return prepend([closing], ended);
  }
  const without = withoutLink(state, link.id);
  if (link.id !== successor?.id || link.heard) return step(without, closing);
  // The second connection failed: another attempt follows later.
  const { standby } = settings;
  const isReturn = standby && link.place !== state.services.place;
  const services = isReturn ? withLaterReturn(state.services, standby.returnMs) : state.services;
  const next = { ...without, services };
  return step(next, closing, startRollOver('retry', next));
}

type LinkWarning = Exclude<StreamWarning['code'], 'dropped-audio'>;

function warningOf(
  state: StreamState,
  link: Link,
  code: LinkWarning,
  message: string,
): readonly StreamEffect[] {
  return shown(state, link, { type: 'warning', code, message });
}

function warned(state: StreamState, link: Link, code: LinkWarning, message: string): StreamStep {
  return step(state, ...warningOf(state, link, code, message));
}
