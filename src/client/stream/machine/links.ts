import { secondsAt } from '../../../audio/format/frameRange.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { publicAddress } from '../../serviceAccess.ts';
import type { QueryChange } from '../options.ts';
import {
  firstConnectionEndMs,
  isHandOver,
  maxSilenceMs,
  mayPass,
  nextAttempt,
  type Place,
  withAccepted,
  withFailure,
  withHandOver,
} from '../recovery/reconnect.ts';
import { givenUp, withBreak } from '../recovery/reportedAudio.ts';
import { SAME_TIME } from '../recovery/sourceTime.ts';
import { refusedWarning } from '../status.ts';
import { type StreamTimeouts, timeoutsAfter } from '../timeouts.ts';
import { addHoles, onStreamed, onUnstreamed, withQuery } from './holes.ts';
import type { Link, Service, Step, StreamState, StreamView } from './model.ts';
import { AHEAD_BYTES, drain, sendRest } from './sending.ts';
import {
  disconnect,
  isEnding,
  isStreaming,
  report,
  reportOf,
  setLinkTimer,
  setTimer,
  settledFrameOf,
  waitingFrames,
  withoutSuccessor,
} from './steps.ts';
import { startRollOver } from './timers.ts';

/** Opens the link that gets the audio, unless there is one. */
export function open(state: StreamState, step: Step): StreamState {
  if (state.current) return state;
  const reached = unpaced(withDueQuery(state), step);
  const current = { ...newLink(reached, step.view), isClosing: isEnding(reached) };
  const phase = { type: 'streaming' } as const;
  startRollOver('session', state, step);
  return connect({ ...reached, phase, current, links: current.id }, current, step);
}

export function openOrEnd(state: StreamState, step: Step): StreamState {
  // A stream that was never connected connects once, so that a service checks its query.
  const isDone = state.isFinishing && state.accepted && waitingFrames(state) === 0;
  return isDone ? onStreamed(state, step) : open(state, step);
}

/** Returns the state with the query of the first audio that is not settled. */
function withDueQuery(state: StreamState): StreamState {
  const [query, ...nextQueries] = state.nextQueries;
  if (!query || settledFrameOf(state) < query.startFrame) return state;
  return withDueQuery({ ...state, query, nextQueries });
}

/** Opens the link that takes over from the current one at a pause. */
export function openSuccessor(state: StreamState, step: Step): StreamState {
  const successor = newLink(state, step.view);
  return connect({ ...state, successor, links: successor.id }, successor, step);
}

function connect(state: StreamState, link: Link, step: Step): StreamState {
  const address = publicAddress(link.service.address);
  reportOf(link, { type: 'connecting', address }, state, step);
  setLinkTimer(link, 'connect', step);
  step.effects.push({ type: 'connect', link });
  return state;
}

function newLink(state: StreamState, view: StreamView): Link {
  const { settings, format } = state;
  const startFrame = settledFrameOf(state);
  const service = serviceOf(state);
  return {
    id: state.links + 1,
    service,
    timeouts: timeoutsOf(state, service, view.nowMs),
    startTs: secondsAt(startFrame, { ...format, startTs: settings.query.startTs }),
    originFrame: startFrame,
    startFrame,
    openedMs: view.nowMs,
    phase: { type: 'connecting' },
    isClosing: false,
    sentFrame: startFrame,
    aheadBytes: AHEAD_BYTES.first,
    sentFrames: 0,
    sourceFrame: startFrame,
    timeMap: SAME_TIME,
    sentMs: view.nowMs,
    ping: undefined,
    readFrames: 0,
    tailFrames: undefined,
    hasFinal: false,
    awaited: undefined,
    held: undefined,
  };
}

/** Minimum milliseconds for the last attempt of an outage. */
const LAST_ATTEMPT_MS = 1000;

/** Returns the timeouts of a link, which leave no time beyond that of a first connection, and of the longest outage. */
function timeoutsOf(state: StreamState, { query }: Service, nowMs: number): StreamTimeouts {
  const { settings, outage, accepted } = state;
  const failures = outage?.failures ?? (accepted ? 0 : undefined);
  const timeouts = timeoutsAfter(failures, settings.timeouts, query.maxConnectionWaitSeconds);
  const silenceMs = maxSilenceMs(settings.resume);
  const restMs = Math.max(silenceMs - (outage ? nowMs - outage.sinceMs : 0), LAST_ATTEMPT_MS);
  const isFirst = !accepted && settings.resume !== false;
  const handshakeMs = isFirst
    ? Math.max(firstConnectionEndMs(outage, nowMs, settings.resume) - nowMs, 1)
    : restMs;
  // A wait for a recogniser that the query asks for is no outage.
  const readyMs = query.maxConnectionWaitSeconds === undefined ? restMs : timeouts.readyTimeoutMs;
  const pongTimeoutMs = settings.platform.hasPings ? timeouts.pongTimeoutMs : Number.POSITIVE_INFINITY;
  const pingIntervalMs = Math.min(timeouts.pingIntervalMs, silenceMs / 2);
  return {
    connectTimeoutMs: Math.min(timeouts.connectTimeoutMs, handshakeMs),
    readyTimeoutMs: Math.min(timeouts.readyTimeoutMs, readyMs),
    pingIntervalMs,
    pongTimeoutMs: Math.min(pongTimeoutMs, silenceMs - pingIntervalMs),
    stallTimeoutMs: Math.min(timeouts.stallTimeoutMs, silenceMs),
    finalTimeoutMs: Math.min(timeouts.finalTimeoutMs, silenceMs),
  };
}

/** Returns the standby, or the address of the first service, which changes with each failure. */
function serviceOf({ settings, query: { query }, services: { place, failures } }: StreamState): Service {
  const { standby, addresses, token } = settings;
  if (place === 'standby' && standby) return { ...standby, query: { ...query, ...standby.query } };
  return { address: addresses[failures % addresses.length]!, query, token };
}

/** The current link is ready. */
export function onConnected(state: StreamState, link: Link, event: ConnectedEvent, step: Step): StreamState {
  step.effects.push({ type: 'transcript', event });
  return withRecognizer(state, link, step.view);
}

/** Returns the state after the first message of a recogniser over the current link: its service has accepted the stream. */
export function withRecognizer(state: StreamState, link: Link, view: StreamView): StreamState {
  return {
    ...state,
    current: withAwaited(link, state, view),
    accepted: state.query.query,
    services: withAccepted(state.services),
  };
}

/** Returns a link that is expected to return the words of all unsettled audio. */
export function withAwaited(link: Link, state: StreamState, view: StreamView): Link {
  return { ...link, awaited: { fromFrame: settledFrameOf(state), sinceMs: view.nowMs } };
}

/** Moves the stream to the successor; audio that the old link did not settle is sent again. */
export function takeOver(state: StreamState, successor: Link, step: Step): StreamState {
  const { current: old } = state;
  const { phase, openedMs } = successor;
  const moved = resumed({ ...state, successor: undefined }, step);
  const startFrame = settledFrameOf(moved);
  const current = { ...successor, startFrame, sentFrame: startFrame };
  const leaving = old ? [...state.leaving, { ...old, isClosing: true }] : state.leaving;
  let next = unpaced({ ...moved, current, leaving }, step);
  startRollOver('session', next, step, step.view.nowMs - openedMs);
  // The old link gets no more audio, and ends its session.
  if (old) next = sendRest(next, old.id, step);
  const connected = phase.recognizer?.connected;
  if (connected) {
    report({ type: 'connected', id: connected.id }, step);
    next = onConnected(next, current, connected, step);
  }
  if (!next.current) return next;
  return isEnding(next) ? drain(next, next.current, step) : sendRest(next, next.current.id, step);
}

/**
 * The current link has failed: another one follows, at once or after a wait, or the stream ends.
 *
 * @param waitedMs milliseconds for which the service had not answered
 */
export function onBreak(state: StreamState, error: unknown, step: Step, waitedMs?: number): StreamState {
  const { settings, successor, current, outage: before } = state;
  const wasConnected = state.accepted !== undefined;
  if (successor) return takeOver({ ...state, current: undefined }, successor, step);
  const { nowMs } = step.view;
  const hasStandby = settings.standby !== undefined;
  // A connection that broke may be back within a second.
  const isTriedAgain = !before && current?.phase.recognizer !== undefined && waitedMs === undefined;
  const services = isHandOver(before, { error, wasConnected })
    ? withHandOver(state.services)
    : withFailure(state.services, { nowMs, mayPass: mayPass(error), hasStandby, isTriedAgain });
  const hasOther = services.place !== state.services.place;
  const failure = {
    error,
    nowMs,
    waitedMs,
    isHandshake: current?.phase.type === 'connecting',
    wasConnected,
    hasOther,
    hasStandby,
  };
  const attempt = settings.resume ? nextAttempt(before, failure, settings.resume) : undefined;
  const { delayMs, outage } = attempt ?? {};
  const failures = state.failures + 1;
  const phase = { type: delayMs === undefined ? 'streaming' : 'waiting' } as const;
  const latestWords = hasOther ? undefined : state.latestWords;
  const next = { ...state, current: undefined, failures, services, outage, phase, latestWords };
  const broken = resumed(next, step);
  if (delayMs === undefined) return onRefused(broken, error, step) ?? onUnstreamed(broken, error, step);
  setTimer('rollOver', undefined, step);
  setTimer('retry', delayMs, step);
  report({ type: 'reconnecting', attempt: failures, delayMs, error }, step);
  if (hasOther) report({ type: 'switched', to: services.place, error }, step);
  return broken;
}

/** Moves the stream to a service at once, as its user wants. */
export function onPlace(state: StreamState, place: Place, step: Step): StreamState {
  const { services, current, settings } = state;
  if (place === services.place || !isStreaming(state) || !settings.standby) return state;
  const alone = withoutSuccessor(state, step);
  disconnect(current, step);
  report({ type: 'switched', to: place }, step);
  const left = resumed(
    { ...alone, current: undefined, services: { ...services, place }, latestWords: undefined },
    step,
  );
  return current ? open(left, step) : left;
}

/** Returns to the last accepted query when the service has refused a new one; undefined for any other error. */
function onRefused(state: StreamState, error: unknown, step: Step): StreamState | undefined {
  const { query, accepted } = state;
  if (!accepted || query.query === accepted || mayPass(error)) return undefined;
  report(refusedWarning(error), step);
  const before = { ...query, query: accepted };
  // Later changes were made to the refused query.
  const nextQueries = state.nextQueries.map(span => ({
    ...span,
    query: { ...accepted, ...differences(query.query, span.query) },
  }));
  let next: StreamState = { ...state, query: before, nextQueries };
  for (const span of [before, ...nextQueries]) next = withQuery(next, span, step, true);
  return open(next, step);
}

/** Returns the values of a query that differ from those of an earlier one. */
function differences(earlier: QueryChange, later: QueryChange): QueryChange {
  const values = Object.entries(later) as [keyof QueryChange, unknown][];
  return Object.fromEntries(values.filter(([name, value]) => value !== earlier[name]));
}

/** The state without the words of a broken link; audio that was dropped meanwhile is not sent again. */
function resumed(state: StreamState, step: Step): StreamState {
  const reported = withBreak(state.reported);
  const next = { ...state, reported };
  const startFrame = settledFrameOf(next);
  const endFrame = state.droppedFrame;
  if (startFrame >= endFrame) return next;
  const given = { ...next, reported: givenUp(reported, endFrame, state.gaps) };
  return addHoles(given, { startFrame, endFrame }, 'dropped', step);
}

/** Forgets the backlog of the previous link. */
function unpaced(state: StreamState, step: Step): StreamState {
  if (state.backlog) setTimer('pace', undefined, step);
  return { ...state, backlog: undefined };
}
