import type { SourceTime } from '../../../audio/format/frameRange.ts';
import type { FinalEvent, LiveEvent, TranscriptEvent } from '../../../transcript/model/events.ts';
import { lateError } from '../../serviceErrors.ts';
import {
  chain,
  newAttempt,
  onBreak,
  onConnected,
  open,
  openEffect,
  openOrEnd,
  step,
  takeOver,
  waitingFrames,
  withAwaited,
} from './attempts.ts';
import type {
  Attempt,
  AttemptEvent,
  ControllerEffect,
  ControllerEvent,
  ControllerSettings,
  ControllerState,
  ControllerStep,
  ControllerTimer,
  ControllerView,
} from './controllerModel.ts';
import { startOfLateness, withCheck, withWords } from './lateness.ts';
import {
  givenUp,
  type ReportedStep,
  settledFrame,
  startOfReported,
  withFinal,
  withPartial,
  withRead,
  withRest,
} from './reportedAudio.ts';
import { gridFrame } from './resume.ts';
import { startOfServices, withLaterReturn } from './services.ts';
import {
  onIdle,
  onRollOverTime,
  startIdle,
  startLate,
  startRollOver,
  stopRollOver,
  successorPlace,
} from './waits.ts';

/** The state of a stream before it starts. */
export function startOfController(settings: ControllerSettings, time: SourceTime): ControllerState {
  return {
    settings,
    phase: 'streaming',
    current: undefined,
    successor: undefined,
    successorMs: 0,
    attempts: 0,
    reported: startOfReported(time),
    droppedFrame: 0,
    outage: undefined,
    failures: 0,
    services: startOfServices,
    lateness: startOfLateness,
    wasConnected: false,
    isWaiting: false,
    idle: { frame: undefined, isIdle: false },
    isFinishing: false,
  };
}

/**
 * Returns the step after an event: when to connect, what to send again after a break, when to move to another
 * connection, and when the stream has ended. A stream that has ended takes no more steps.
 */
export function next(state: ControllerState, event: ControllerEvent, view: ControllerView): ControllerStep {
  if (state.phase === 'ended') return step(state);
  switch (event.type) {
    case 'start':
      return chain(step(state, startIdle, ...startLate(state)), started => open(started, view));
    case 'audio':
      // A source that was paused goes on.
      return state.current || state.isWaiting || waitingFrames(state, view) === 0
        ? step(state)
        : open(state, view);
    case 'finish':
      return onFinish({ ...state, isFinishing: true }, view);
    case 'drop':
      return onDrop(state, event.beforeFrame, view);
    case 'timeout':
      return onTimeout(state, event.timer, view);
    default:
      return onAttempt(state, event, view);
  }
}

function onFinish(state: ControllerState, view: ControllerView): ControllerStep {
  if (state.current) return step(state, { type: 'drain', attempt: state.current.id });
  return state.isWaiting ? step(state) : openOrEnd(state, view);
}

/** Frames that were sent may still become final: they are given up only when their connection breaks. */
function onDrop(state: ControllerState, beforeFrame: number, { gaps }: ControllerView): ControllerStep {
  const next = { ...state, droppedFrame: beforeFrame };
  if (state.current) return step(next, { type: 'skip', attempt: state.current.id, frame: beforeFrame });
  return step({ ...next, reported: givenUp(state.reported, beforeFrame, gaps) });
}

function onTimeout(state: ControllerState, timer: ControllerTimer, view: ControllerView): ControllerStep {
  if (timer === 'retry') return openOrEnd({ ...state, isWaiting: false }, view);
  if (timer === 'idle') {
    const isQuiet = waitingFrames(state, view) === 0 && !state.isFinishing && state.current;
    return onIdle(state, isQuiet ? view.sentFrame : undefined);
  }
  if (timer === 'late') return onCheck(state, view);
  if (state.successor) {
    return onRollOverTime(state, state.successor) ?? takeOver(state, state.successor, view);
  }
  const successor = newAttempt(state, view, successorPlace(state, view.nowMs));
  return step({ ...state, successor, attempts: successor.id }, openEffect(state, successor));
}

/** Leaves a service whose words are late. */
function onCheck(state: ControllerState, view: ControllerView): ControllerStep {
  const { current, settings, reported } = state;
  const next = step(state, ...startLate(state));
  if (!settings.standby || !current?.awaited || state.isFinishing) return next;
  if (!view.isLive()) return next;
  const { takeOverMs } = settings.standby;
  const { sampleRate } = reported.time;
  const { lateness, isLate } = withCheck(state.lateness, { ...view, sampleRate }, takeOverMs);
  if (!isLate) return { ...next, state: { ...state, lateness } };
  const closing = step({ ...state, lateness }, ...startLate(state), { type: 'close', attempt: current.id });
  return chain(closing, after => onBreak(after, lateError(), view));
}

function onAttempt(state: ControllerState, event: AttemptEvent, view: ControllerView): ControllerStep {
  const isSuccessor = event.attempt === state.successor?.id;
  if (event.type === 'ended' && isSuccessor) {
    // No second connection could be had: it is tried again later.
    const { standby } = state.settings;
    const services = standby ? withLaterReturn(state.services, standby.returnMs) : state.services;
    const next = { ...state, services, successor: undefined };
    return step(next, startRollOver('retry', next));
  }
  if (event.type === 'transcript' && event.event.type === 'connected' && isSuccessor) {
    const successor = { ...state.successor!, connected: event.event };
    return step({ ...state, successor, successorMs: 0 }, startRollOver('successor', state));
  }
  // Another connection than the current one gets audio again: its words are ignored.
  if (!state.current || event.attempt !== state.current.id) return step(state);
  switch (event.type) {
    case 'transcript':
      return onTranscript(state, state.current, event.event, view);
    case 'read':
      return onRead(state, state.current, event.frame, view);
    case 'status':
      return step(state, { type: 'status', status: event.status });
    case 'ended':
      return event.failure ? onBreak(state, event.failure.error, view) : onRest(state, view);
  }
}

function onTranscript(
  state: ControllerState,
  current: Attempt,
  event: TranscriptEvent,
  view: ControllerView,
): ControllerStep {
  if (event.type === 'connected') return onConnected(state, current, event, view);
  const { sampleRate, startTs = 0 } = state.reported.time;
  const endFrame = gridFrame(event.endTs - startTs, sampleRate);
  const words = { type: event.type, endFrame, nowMs: view.nowMs };
  const next = event.elements.length > 0 ? { ...state, lateness: withWords(state.lateness, words) } : state;
  if (event.type === 'final') return onFinal(next, current, event, view);
  const reported = withPartial(state.reported, event, view.sentFrame, view.gaps);
  return step({ ...next, reported }, { type: 'transcript', event });
}

function onFinal(
  state: ControllerState,
  current: Attempt,
  final: FinalEvent,
  view: ControllerView,
): ControllerStep {
  const place = { sentFrame: view.sentFrame, isFirst: !current.hasFinal };
  const result = settle(state, withFinal(state.reported, final, place, view.gaps), view);
  const attempt = { ...current, hasFinal: true };
  // A service that only repeats earlier words is no better than one that is unreachable.
  const isProgress = result.settledFrame > settledFrame(state.reported, view.gaps);
  const next: ControllerState = isProgress
    ? { ...result.state, current: withAwaited(attempt, result.state, view), outage: undefined }
    : { ...result.state, current: attempt };
  // Nobody speaks after a final, or the utterance was cut: a good moment for the next connection.
  return chain(step(next, ...result.effects), after =>
    after.successor?.connected ? takeOver(after, after.successor, view) : step(after),
  );
}

function onRead(
  state: ControllerState,
  { awaited }: Attempt,
  readFrame: number,
  view: ControllerView,
): ControllerStep {
  if (!awaited) return step(state);
  const elapsedSeconds = (view.nowMs - awaited.sinceMs) / 1000;
  const read = { readFrame, originFrame: awaited.fromFrame, elapsedSeconds };
  const result = settle(state, withRead(state.reported, read, view.gaps), view);
  const { isIdle, frame } = state.idle;
  // A paused source has nothing to settle: there, an answered ping is progress.
  const isPaused = isIdle && frame === view.sentFrame && waitingFrames(state, view) === 0;
  const isProgress = result.settledFrame > settledFrame(state.reported, view.gaps);
  const outage = isProgress || (isPaused && !state.isFinishing) ? undefined : state.outage;
  return step({ ...result.state, outage }, ...result.effects);
}

/** The service has given all words of the audio that was sent: of the whole source, or of that before a pause. */
function onRest(state: ControllerState, view: ControllerView): ControllerStep {
  const result = settle(state, withRest(state.reported, view.sentFrame, view.gaps), view);
  const next = { ...result.state, current: undefined, successor: undefined, outage: undefined };
  const closing: ControllerEffect[] = state.successor ? [{ type: 'close', attempt: state.successor.id }] : [];
  const rest = step(next, stopRollOver, ...closing, ...result.effects);
  return chain(rest, after => {
    if (after.isFinishing) return openOrEnd(after, view);
    return waitingFrames(after, view) > 0 ? open(after, view) : step(after, { type: 'send' });
  });
}

/** Returns the step after newly reported events, and the frame up to which all audio is settled then. */
function settle(
  state: ControllerState,
  { reported, events }: ReportedStep,
  { gaps }: ControllerView,
): ControllerStep & { readonly settledFrame: number } {
  const frame = settledFrame(reported, gaps);
  const emits = events.map((event: LiveEvent): ControllerEffect => ({ type: 'transcript', event }));
  const effects: ControllerEffect[] = emits.length > 0 ? [...emits, { type: 'settled', frame }] : [];
  return { ...step({ ...state, reported }, ...effects), settledFrame: frame };
}
