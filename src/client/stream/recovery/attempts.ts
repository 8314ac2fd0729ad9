import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import type {
  Attempt,
  ControllerEffect,
  ControllerState,
  ControllerStep,
  ControllerView,
} from './controllerModel.ts';
import { withStart } from './lateness.ts';
import { isHandOver, mayPass, nextAttempt } from './reconnect.ts';
import { givenUp, settledFrame, withBreak } from './reportedAudio.ts';
import { type Place, withAccepted, withFailure, withHandOver } from './services.ts';
import { startRollOver, stopRollOver } from './waits.ts';

/** Returns how many frames of audio are not sent. */
export function waitingFrames(
  state: ControllerState,
  { sentFrame, headFrame, gaps }: ControllerView,
): number {
  const fromFrame = state.current ? sentFrame : settledFrame(state.reported, gaps);
  return gaps.audioFrames(fromFrame, headFrame);
}

export function open(state: ControllerState, view: ControllerView): ControllerStep {
  if (state.current) return step(state);
  const current = newAttempt(state, view);
  return step(
    { ...state, current, attempts: current.id },
    startRollOver('session', state),
    openEffect(state, current),
    ...(state.isFinishing ? [{ type: 'drain', attempt: current.id } as const] : []),
  );
}

export function openOrEnd(state: ControllerState, view: ControllerView): ControllerStep {
  // Without any connection no service has confirmed that the query is right.
  const isDone = state.isFinishing && state.wasConnected && waitingFrames(state, view) === 0;
  return isDone ? end(state) : open(state, view);
}

export function newAttempt(
  { attempts, reported, services }: ControllerState,
  { gaps, nowMs }: ControllerView,
  place: Place = services.place,
): Attempt {
  return {
    id: attempts + 1,
    place,
    openedMs: nowMs,
    startFrame: settledFrame(reported, gaps),
    connected: undefined,
    hasFinal: false,
    awaited: undefined,
  };
}

export function openEffect(
  { services: { failures }, outage }: ControllerState,
  { id, place, startFrame }: Attempt,
): ControllerEffect {
  const outageFailures = outage?.failures ?? 0;
  return { type: 'open', attempt: id, originFrame: startFrame, place, failures, outageFailures };
}

export function onConnected(
  state: ControllerState,
  current: Attempt,
  event: ConnectedEvent,
  view: ControllerView,
): ControllerStep {
  const next = {
    ...state,
    current: withAwaited(current, state, view),
    wasConnected: true,
    services: withAccepted(state.services, current.place),
    lateness: withStart(state.lateness, current.startFrame, view.nowMs),
  };
  return step(next, { type: 'transcript', event });
}

export function withAwaited(
  attempt: Attempt,
  { reported }: ControllerState,
  { gaps, nowMs }: ControllerView,
): Attempt {
  return { ...attempt, awaited: { fromFrame: settledFrame(reported, gaps), sinceMs: nowMs } };
}

/** Moves the stream to the successor; audio that the old connection did not settle is sent again. */
export function takeOver(state: ControllerState, successor: Attempt, view: ControllerView): ControllerStep {
  const old = state.current;
  const moved = resumed({ ...state, successor: undefined }, view);
  const current = { ...successor, startFrame: settledFrame(moved.state.reported, view.gaps) };
  const { connected, place } = successor;
  const services = { ...state.services, place };
  const switched = { type: 'status', status: { type: 'switched', to: place } } as const;
  const begun = prepended(
    { ...moved, state: { ...moved.state, current, services } },
    ...(place === state.services.place ? [] : [switched]),
    startRollOver('session', state),
    // The old connection only has to end its session.
    ...(old ? [{ type: 'drain', attempt: old.id } as const] : []),
  );
  const announced = connected
    ? chain(begun, after => {
        const status = { type: 'connected', id: connected.id } as const;
        return prepended(onConnected(after, current, connected, view), { type: 'status', status });
      })
    : begun;
  const drain = { type: 'drain', attempt: successor.id } as const;
  return chain(announced, after => step(after, { type: 'send' }, ...(after.isFinishing ? [drain] : [])));
}

export function onBreak(state: ControllerState, error: unknown, view: ControllerView): ControllerStep {
  if (state.successor) return takeOver({ ...state, current: undefined }, state.successor, view);
  const { settings, wasConnected } = state;
  const services = isHandOver(state.outage, { error, wasConnected })
    ? withHandOver(state.services)
    : withFailure(state.services, {
        mayPass: mayPass(error),
        servedMs: view.nowMs - (state.current?.openedMs ?? view.nowMs),
        returnMs: settings.standby?.returnMs,
      });
  const hasOther = services.place !== state.services.place;
  const failure = { error, nowMs: view.nowMs, wasConnected, hasOther };
  const next = settings.resume ? nextAttempt(state.outage, failure, settings.resume) : undefined;
  const { delayMs } = next ?? {};
  const failures = state.failures + 1;
  const broken = resumed(
    {
      ...state,
      current: undefined,
      failures,
      services,
      outage: next?.outage,
      isWaiting: delayMs !== undefined,
    },
    view,
  );
  if (delayMs === undefined) return chain(broken, after => end(after, { error }));
  const status = { type: 'reconnecting', attempt: failures, delayMs, error } as const;
  const switched = { type: 'status', status: { type: 'switched', to: services.place, error } } as const;
  return prepended(
    chain(broken, after => step(after, { type: 'status', status }, ...(hasOther ? [switched] : []))),
    stopRollOver,
    { type: 'startTimer', timer: 'retry', delayMs },
  );
}

/** The state without the words of a broken connection; audio that was dropped meanwhile is not sent again. */
function resumed(state: ControllerState, { gaps }: ControllerView): ControllerStep {
  const reported = withBreak(state.reported);
  const startFrame = settledFrame(reported, gaps);
  const endFrame = state.droppedFrame;
  if (startFrame >= endFrame) return step({ ...state, reported });
  return step(
    { ...state, reported: givenUp(reported, endFrame, gaps) },
    { type: 'dropped', range: { startFrame, endFrame } },
  );
}

function end(state: ControllerState, failure?: { readonly error: unknown }): ControllerStep {
  return step({ ...state, phase: 'ended' }, failure ? { type: 'end', failure } : { type: 'end' });
}

export function step(state: ControllerState, ...effects: readonly ControllerEffect[]): ControllerStep {
  return { state, effects };
}

export function chain(
  { state, effects }: ControllerStep,
  next: (state: ControllerState) => ControllerStep,
): ControllerStep {
  const then = next(state);
  return { state: then.state, effects: [...effects, ...then.effects] };
}

function prepended(
  { state, effects }: ControllerStep,
  ...first: readonly ControllerEffect[]
): ControllerStep {
  return { state, effects: [...first, ...effects] };
}
