import { secondsAt } from '../../../audio/format/frameRange.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import { publicAddress } from '../../serviceAccess.ts';
import type { QueryChange } from '../options.ts';
import { withStart } from '../recovery/lateness.ts';
import { isHandOver, mayPass, nextAttempt } from '../recovery/reconnect.ts';
import { givenUp, withBreak } from '../recovery/reportedAudio.ts';
import { type Place, withAccepted, withFailure, withHandOver } from '../recovery/services.ts';
import { SAME_TIME } from '../recovery/timeMap.ts';
import { timeoutsAfter } from '../settings.ts';
import { refusedWarning } from '../status.ts';
import { onStreamed, onUnstreamed } from './ending.ts';
import { addHoles, withQuery } from './holes.ts';
import { linkTimer, shown } from './linkTimers.ts';
import type { Link, Service, StreamEffect, StreamState, StreamStep, StreamView } from './model.ts';
import { AHEAD_BYTES, drain, sendRest } from './sending.ts';
import { chain, isEnding, prepend, settledFrameOf, status, step, timer, waitingFrames } from './steps.ts';
import { startRollOver } from './waits.ts';

/** Opens the link that gets the audio, unless there is one. */
export function open(state: StreamState, view: StreamView): StreamStep {
  if (state.current) return step(state);
  const reached = withDueQuery(state);
  const current = { ...newLink(reached, view), isClosing: isEnding(reached) };
  const next = unpaced({ ...reached, current, links: current.id });
  return chain(step(next.state, ...next.effects, startRollOver('session', state)), opening =>
    connect(opening, current),
  );
}

export function openOrEnd(state: StreamState, view: StreamView): StreamStep {
  // A stream that was never connected connects once, so that a service checks its query.
  const isDone = state.isFinishing && state.wasConnected && waitingFrames(state) === 0;
  return isDone ? onStreamed(state) : open(state, view);
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
export function openSuccessor(state: StreamState, view: StreamView, place: Place, heard?: []): StreamStep {
  const successor = { ...newLink(state, view, place), heard };
  return connect({ ...state, successor, links: successor.id }, successor);
}

function connect(state: StreamState, link: Link): StreamStep {
  const address = publicAddress(link.service.address);
  const connecting = shown(state, link, { type: 'connecting', address });
  return step(state, ...connecting, linkTimer(link, 'connect'), { type: 'connect', link });
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
export function onConnected(
  state: StreamState,
  link: Link,
  event: ConnectedEvent,
  view: StreamView,
): StreamStep {
  return step(withRecognizer(state, link, view), { type: 'transcript', event });
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
export function takeOver(state: StreamState, successor: Link, view: StreamView): StreamStep {
  const { current: old } = state;
  const moved = resumed({ ...state, successor: undefined });
  const startFrame = settledFrameOf(moved.state);
  // One that heard the audio goes on where it is.
  const sentFrame = successor.heard ? successor.sentFrame : startFrame;
  const current = { ...successor, startFrame, sentFrame };
  const { connected, place } = successor;
  const isOther = place !== state.services.place;
  const leaving = old ? [...state.leaving, { ...old, isClosing: true }] : state.leaving;
  const next = unpaced({ ...moved.state, current, leaving, services: { ...state.services, place } });
  return chain(
    step(
      next.state,
      ...next.effects,
      ...(isOther ? [status({ type: 'switched', to: place })] : []),
      startRollOver('session', next.state, view.nowMs - successor.openedMs),
    ),
    // The old link gets no more audio, and ends its session.
    after => (old ? sendRest(after, old.id, view) : step(after)),
    after => step(after, ...moved.effects),
    after => {
      if (!connected) return step(after);
      const ready = onConnected(after, current, connected, view);
      return prepend([status({ type: 'connected', id: connected.id })], ready);
    },
    after => {
      if (!after.current) return step(after);
      return isEnding(after) ? drain(after, after.current, view) : sendRest(after, after.current.id, view);
    },
  );
}

/** Moves the stream to the link that heard the same audio, since the current one is late or has failed. */
export function takeOverBeside(state: StreamState, to: Link, error: unknown, view: StreamView): StreamStep {
  const left = step(
    { ...state, current: undefined, services: servicesAfter(state, error, view) },
    { type: 'report', link: to.id },
    status({ type: 'switched', to: to.place, error }),
    status({ type: 'connecting', address: publicAddress(to.service.address) }),
  );
  return chain(left, after => takeOver(after, to, view));
}

/** The current link has failed: another one follows, at once or after a wait, or the stream ends. */
export function onBreak(state: StreamState, error: unknown, view: StreamView): StreamStep {
  const { settings, wasConnected, successor } = state;
  if (successor?.heard) return takeOverBeside(state, successor, error, view);
  if (successor) return takeOver({ ...state, current: undefined }, successor, view);
  const services = isHandOver(state.outage, { error, wasConnected })
    ? withHandOver(state.services)
    : servicesAfter(state, error, view);
  const hasOther = services.place !== state.services.place;
  const failure = { error, nowMs: view.nowMs, wasConnected, hasOther };
  const next = settings.resume ? nextAttempt(state.outage, failure, settings.resume) : undefined;
  const { delayMs } = next ?? {};
  const failures = state.failures + 1;
  const isWaiting = delayMs !== undefined;
  const broken = resumed({
    ...state,
    ...{ current: undefined, failures, services, outage: next?.outage, isWaiting },
  });
  if (delayMs === undefined) {
    return chain(broken, after => onRefused(after, error, view) ?? onUnstreamed(after, error, view));
  }
  const reconnecting = status({ type: 'reconnecting', attempt: failures, delayMs, error });
  const switched = hasOther ? [status({ type: 'switched', to: services.place, error })] : [];
  const waiting = chain(broken, after => step(after, reconnecting, ...switched));
  return prepend([timer('rollOver', undefined), timer('retry', delayMs)], waiting);
}

/** Returns the services after that of the current link has failed. */
function servicesAfter({ services, current, settings }: StreamState, error: unknown, { nowMs }: StreamView) {
  const servedMs = nowMs - (current?.openedMs ?? nowMs);
  return withFailure(services, { mayPass: mayPass(error), servedMs, returnMs: settings.standby?.returnMs });
}

/** Returns to the last accepted query when the service has refused a new one; undefined for any other error. */
function onRefused(state: StreamState, error: unknown, view: StreamView): StreamStep | undefined {
  const { query, accepted } = state;
  if (!accepted || query.query === accepted || mayPass(error)) return undefined;
  const before = { ...query, query: accepted };
  // Later changes were made to the refused query.
  const nextQueries = state.nextQueries.map(span => ({
    ...span,
    query: { ...accepted, ...differences(query.query, span.query) },
  }));
  const noted = [before, ...nextQueries].reduce(
    (first, span) => chain(first, after => withQuery(after, span, true)),
    step({ ...state, query: before, nextQueries }, status(refusedWarning(error))),
  );
  return chain(noted, after => open(after, view));
}

/** Returns the values of a query that differ from those of an earlier one. */
function differences(earlier: QueryChange, later: QueryChange): QueryChange {
  const values = Object.entries(later) as [keyof QueryChange, unknown][];
  return Object.fromEntries(values.filter(([name, value]) => value !== earlier[name]));
}

/** The state without the words of a broken link; audio that was dropped meanwhile is not sent again. */
function resumed(state: StreamState): StreamStep {
  const next = { ...state, reported: withBreak(state.reported) };
  const startFrame = settledFrameOf(next);
  const endFrame = state.droppedFrame;
  if (startFrame >= endFrame) return step(next);
  const given = { ...next, reported: givenUp(next.reported, endFrame, state.gaps) };
  return addHoles(given, { startFrame, endFrame }, 'dropped');
}

/** Forgets the backlog of the previous link. */
function unpaced(state: StreamState): StreamStep {
  const effects: StreamEffect[] = state.backlog ? [timer('pace', undefined)] : [];
  return step({ ...state, backlog: undefined }, ...effects);
}
