import { secondsAt } from '../../../audio/format/frameRange.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { publicAddress } from '../../serviceAccess.ts';
import type { QueryChange } from '../options.ts';
import { withStart } from '../recovery/lateness.ts';
import {
  isHandOver,
  mayPass,
  nextAttempt,
  type Place,
  withAccepted,
  withFailure,
  withHandOver,
} from '../recovery/reconnect.ts';
import { givenUp, withBreak } from '../recovery/reportedAudio.ts';
import { SAME_TIME } from '../recovery/sourceTime.ts';
import { timeoutsAfter } from '../settings.ts';
import { refusedWarning } from '../status.ts';
import { onStreamed, onUnstreamed } from './ending.ts';
import { addHoles, withQuery } from './holes.ts';
import type { Link, Service, Step, StreamState, StreamView } from './model.ts';
import { AHEAD_BYTES, drain, sendRest } from './sending.ts';
import {
  isEnding,
  report,
  reportOf,
  setLinkTimer,
  setTimer,
  settledFrameOf,
  waitingFrames,
} from './steps.ts';
import { startRollOver } from './timers.ts';

/** Opens the link that gets the audio, unless there is one. */
export function open(state: StreamState, step: Step): StreamState {
  if (state.current) return state;
  const reached = unpaced(withDueQuery(state), step);
  const current = { ...newLink(reached, step.view), isClosing: isEnding(reached) };
  startRollOver('session', state, step);
  return connect({ ...reached, current, links: current.id }, current, step);
}

export function openOrEnd(state: StreamState, step: Step): StreamState {
  // A stream that was never connected connects once, so that a service checks its query.
  const isDone = state.isFinishing && state.wasConnected && waitingFrames(state) === 0;
  return isDone ? onStreamed(state, step) : open(state, step);
}

/** Returns the state with the query of the first audio that is not settled. */
function withDueQuery(state: StreamState): StreamState {
  const [query, ...nextQueries] = state.nextQueries;
  if (!query || settledFrameOf(state) < query.startFrame) return state;
  return withDueQuery({ ...state, query, nextQueries });
}

/**
 * Opens the link that takes over from the current one.
 *
 * @param heard no words yet, for a link that hears the audio beside the current one; undefined for one that waits for a pause
 */
export function openSuccessor(state: StreamState, place: Place, step: Step, heard?: []): StreamState {
  const successor = { ...newLink(state, step.view, place), heard };
  return connect({ ...state, successor, links: successor.id }, successor, step);
}

function connect(state: StreamState, link: Link, step: Step): StreamState {
  const address = publicAddress(link.service.address);
  reportOf(link, { type: 'connecting', address }, state, step);
  setLinkTimer(link, 'connect', step);
  step.effects.push({ type: 'connect', link });
  return state;
}

function newLink(state: StreamState, view: StreamView, place: Place = state.services.place): Link {
  const { settings, format, services, outage } = state;
  const startFrame = settledFrameOf(state);
  const service = serviceOf(state, place, services.failures);
  return {
    id: state.links + 1,
    place,
    service,
    timeouts: timeoutsAfter(outage?.failures ?? 0, settings, service.query),
    startTs: secondsAt(startFrame, { ...format, startTs: settings.query.startTs }),
    originFrame: startFrame,
    startFrame,
    openedMs: view.nowMs,
    connectedMs: undefined,
    phase: 'connecting',
    connected: undefined,
    isReady: false,
    isClosing: false,
    sentFrame: startFrame,
    aheadBytes: AHEAD_BYTES.first,
    sentFrames: 0,
    sourceFrame: startFrame,
    timeMap: SAME_TIME,
    pingedFrames: 0,
    pingedSourceFrame: startFrame,
    isPongLate: false,
    readFrames: 0,
    hasReceived: false,
    tailFrames: undefined,
    hasFinal: false,
    awaited: undefined,
    heard: undefined,
  };
}

/** Returns the standby, or the address of the first service, which changes with each failure. */
function serviceOf({ settings, query: { query } }: StreamState, place: Place, failures: number): Service {
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
    wasConnected: true,
    accepted: state.query.query,
    services: withAccepted(state.services, link.place),
    lateness: withStart(state.lateness, link.startFrame, view.nowMs),
  };
}

/** Returns a link that is expected to return the words of all unsettled audio. */
export function withAwaited(link: Link, state: StreamState, view: StreamView): Link {
  return { ...link, awaited: { fromFrame: settledFrameOf(state), sinceMs: view.nowMs } };
}

/** Moves the stream to the successor; audio that the old link did not settle is sent again. */
export function takeOver(state: StreamState, successor: Link, step: Step): StreamState {
  const { current: old } = state;
  const { connected, place, openedMs } = successor;
  const moved = resumed({ ...state, successor: undefined }, step);
  const startFrame = settledFrameOf(moved);
  // One that heard the audio goes on where it is.
  const sentFrame = successor.heard ? successor.sentFrame : startFrame;
  const current = { ...successor, startFrame, sentFrame };
  const leaving = old ? [...state.leaving, { ...old, isClosing: true }] : state.leaving;
  let next = unpaced({ ...moved, current, leaving, services: { ...state.services, place } }, step);
  if (place !== state.services.place) report({ type: 'switched', to: place }, step);
  startRollOver('session', next, step, step.view.nowMs - openedMs);
  // The old link gets no more audio, and ends its session.
  if (old) next = sendRest(next, old.id, step);
  if (connected) {
    report({ type: 'connected', id: connected.id }, step);
    next = onConnected(next, current, connected, step);
  }
  if (!next.current) return next;
  return isEnding(next) ? drain(next, next.current, step) : sendRest(next, next.current.id, step);
}

/** Moves the stream to the link that heard the same audio, since the current one is late or has failed. */
export function takeOverBeside(state: StreamState, to: Link, error: unknown, step: Step): StreamState {
  step.effects.push({ type: 'report', link: to.id });
  report({ type: 'switched', to: to.place, error }, step);
  report({ type: 'connecting', address: publicAddress(to.service.address) }, step);
  const services = servicesAfter(state, error, step.view);
  return takeOver({ ...state, current: undefined, services }, to, step);
}

/** The current link has failed: another one follows, at once or after a wait, or the stream ends. */
export function onBreak(state: StreamState, error: unknown, step: Step): StreamState {
  const { settings, wasConnected, successor } = state;
  if (successor?.heard) return takeOverBeside(state, successor, error, step);
  if (successor) return takeOver({ ...state, current: undefined }, successor, step);
  const services = isHandOver(state.outage, { error, wasConnected })
    ? withHandOver(state.services)
    : servicesAfter(state, error, step.view);
  const hasOther = services.place !== state.services.place;
  const failure = { error, nowMs: step.view.nowMs, wasConnected, hasOther };
  const attempt = settings.resume ? nextAttempt(state.outage, failure, settings.resume) : undefined;
  const { delayMs, outage } = attempt ?? {};
  const failures = state.failures + 1;
  const isWaiting = delayMs !== undefined;
  const broken = resumed({ ...state, current: undefined, failures, services, outage, isWaiting }, step);
  if (!isWaiting) return onRefused(broken, error, step) ?? onUnstreamed(broken, error, step);
  setTimer('rollOver', undefined, step);
  setTimer('retry', delayMs, step);
  report({ type: 'reconnecting', attempt: failures, delayMs, error }, step);
  if (hasOther) report({ type: 'switched', to: services.place, error }, step);
  return broken;
}

/** Returns the services after that of the current link has failed. */
function servicesAfter({ services, current, settings }: StreamState, error: unknown, { nowMs }: StreamView) {
  const servedMs = nowMs - (current?.openedMs ?? nowMs);
  return withFailure(services, { mayPass: mayPass(error), servedMs, returnMs: settings.standby?.returnMs });
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
