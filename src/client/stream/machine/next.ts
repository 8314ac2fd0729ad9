import type { PcmFormat } from '../../../audio/format/format.ts';
import { lateError } from '../../serviceErrors.ts';
import { overflowError, roomFrame } from '../journal/overflow.ts';
import type { QueryChange } from '../options.ts';
import { startOfLateness, withCheck } from '../recovery/lateness.ts';
import { givenUp, startOfReported } from '../recovery/reportedAudio.ts';
import { startOfServices } from '../recovery/services.ts';
import type { StreamSettings } from '../settings.ts';
import { NO_AUDIO_WARNING } from '../status.ts';
import { fallBack, onClose, onFailure } from './ending.ts';
import { arrived, isLive, startOfFlow, withPressure } from './flow.ts';
import { onBreak, open, openOrEnd, openSuccessor, takeOver } from './links.ts';
import type {
  QueryRange,
  StreamEffect,
  StreamEvent,
  StreamState,
  StreamStep,
  StreamTimer,
  StreamView,
} from './model.ts';
import { drain, sendWaiting } from './sending.ts';
import { onLink } from './socketEvents.ts';
import {
  chain,
  disconnect,
  prepend,
  sentFrameOf,
  settledFrameOf,
  status,
  step,
  timer,
  unsettledFrames,
  waitingFrames,
} from './steps.ts';
import { onIdle, onRollOverTime, startIdle, startLate, successorPlace } from './waits.ts';

/** Returns the state of a stream whose format is known, before it starts. */
export function startOfStream(settings: StreamSettings, format: PcmFormat): StreamState {
  const { clock, query } = settings;
  return {
    settings,
    format,
    phase: 'streaming',
    isFinishing: false,
    query: { startFrame: 0, change: {} },
    nextQueries: [],
    accepted: undefined,
    current: undefined,
    successor: undefined,
    leaving: [],
    successorMs: 0,
    links: 0,
    reported: startOfReported({ sampleRate: format.sampleRate, startTs: query.startTs }),
    droppedFrame: 0,
    outage: undefined,
    failures: 0,
    services: startOfServices,
    lateness: startOfLateness,
    wasConnected: false,
    isWaiting: false,
    idle: { frame: undefined, isIdle: false },
    flow: startOfFlow(clock.now()),
    backlog: undefined,
  };
}

/**
 * Returns the step after an event: when to connect, what to send, and again after a break, when to move to another link, and
 * when the stream has ended. A stream that has ended takes no more steps.
 */
export function next(state: StreamState, event: StreamEvent, view: StreamView): StreamStep {
  if (state.phase === 'ended') return step(state);
  switch (event.type) {
    case 'start':
      return onStart(state, view);
    case 'audio':
      return onAudio(state, event.frames, view);
    case 'query':
      return onQuery(state, event.change, view);
    case 'finish':
      return onFinish({ ...state, isFinishing: true }, view);
    case 'fail':
      return onFailure(state, event.error, view);
    case 'close':
      return onClose(state);
    case 'repaired':
      return step({ ...state, phase: 'ended' }, { type: 'end', how: 'complete' });
    case 'timeout':
      return onTimeout(state, event.timer, view);
    default:
      return onLink(state, event, view);
  }
}

function onStart(state: StreamState, view: StreamView): StreamStep {
  if (state.settings.fallback?.asyncOnly) return fallBack(state, { cause: 'async-only' }, view);
  return chain(step(state, startIdle, ...startLate(state)), started => open(started, view));
}

function onAudio(state: StreamState, frames: number, view: StreamView): StreamStep {
  const room = chain(arrived(state, frames, view.nowMs), after => makeRoom(after, view));
  const sent = chain(room, after => {
    if (after.phase !== 'streaming') return step(after);
    if (after.current) return sendWaiting(after, view);
    // A source that was paused goes on.
    return after.isWaiting || waitingFrames(after, view) === 0 ? step(after) : open(after, view);
  });
  return chain(sent, after => (after.phase === 'ended' ? step(after) : withPressure(after, view)));
}

/** Drops the oldest audio when there is too much without text. */
function makeRoom(state: StreamState, view: StreamView): StreamStep {
  const { settings, format, phase } = state;
  const { maxBufferedSeconds: maxSeconds, overflow } = settings;
  const { sampleRate } = format;
  if (phase !== 'streaming' || unsettledFrames(state, view) <= maxSeconds * sampleRate) return step(state);
  if (overflow === 'fail') return onFailure(state, overflowError(maxSeconds), view);
  if (overflow === 'asyncOnly') {
    return fallBack(state, { cause: 'async-only', error: overflowError(maxSeconds) }, view);
  }
  const { headFrame, gaps, repairs } = view;
  const beforeFrame = roomFrame(headFrame, { sampleRate, maxSeconds, gaps });
  // Frames that were sent may still become final: they are a hole, to be repaired, only when the connection breaks.
  const frame = repairs ? settledFrameOf(state, view) : beforeFrame;
  const range = { startFrame: sentFrameOf(state, view), endFrame: beforeFrame };
  const effects: StreamEffect[] = [
    { type: 'release', frame },
    { type: 'hole', range, cause: 'dropped' },
  ];
  const { current, reported } = state;
  if (!current) {
    return step(
      { ...state, droppedFrame: beforeFrame, reported: givenUp(reported, beforeFrame, gaps) },
      ...effects,
    );
  }
  const sentFrame = Math.max(current.sentFrame, beforeFrame);
  return step({ ...state, droppedFrame: beforeFrame, current: { ...current, sentFrame } }, ...effects);
}

/** Ends the audio of the current query here: what follows has another one. */
function onQuery(state: StreamState, change: QueryChange, view: StreamView): StreamStep {
  if (state.isFinishing) return step(state);
  const { query, nextQueries, current, successor } = state;
  const last = nextQueries.at(-1) ?? query;
  const hasAudio = view.gaps.audioFrames(last.startFrame, view.headFrame) > 0;
  const startFrame = hasAudio ? view.headFrame : last.startFrame;
  const range: QueryRange = { startFrame, change: { ...last.change, ...change } };
  const noted = { type: 'query', isRefusal: false, ...range } as const;
  if (!hasAudio && nextQueries.length > 0) {
    return step({ ...state, nextQueries: [...nextQueries.slice(0, -1), range] }, noted);
  }
  const alone = { ...state, successor: undefined };
  if (hasAudio) {
    const ending = step({ ...alone, nextQueries: [...nextQueries, range] }, noted, ...disconnect(successor));
    return current ? chain(ending, after => drain(after, current, view)) : ending;
  }
  // Nothing is reported of a session without audio.
  const closing = [...disconnect(successor), ...disconnect(current), timer('rollOver', undefined)];
  return step({ ...alone, query: range, current: undefined }, noted, ...closing);
}

function onFinish(state: StreamState, view: StreamView): StreamStep {
  const warning = state.flow.arrivedFrames === 0 ? [status(NO_AUDIO_WARNING)] : [];
  return prepend([...warning, { type: 'finished' }], endAudio(state, view));
}

function endAudio(state: StreamState, view: StreamView): StreamStep {
  if (state.phase === 'unstreamed') return step({ ...state, phase: 'repairing' }, { type: 'repair' });
  if (state.phase === 'repairing') return step(state);
  if (state.current) return drain(state, state.current, view);
  return state.isWaiting ? step(state) : openOrEnd(state, view);
}

function onTimeout(state: StreamState, timer: StreamTimer, view: StreamView): StreamStep {
  if (state.phase !== 'streaming') return step(state);
  const { current, successor } = state;
  switch (timer) {
    case 'retry':
      return openOrEnd({ ...state, isWaiting: false }, view);
    case 'idle': {
      const isQuiet = current && waitingFrames(state, view) === 0 && !state.isFinishing;
      return onIdle(state, isQuiet ? current.sentFrame : undefined, view);
    }
    case 'late':
      return onCheck(state, view);
    case 'pace':
      return chain(sendWaiting(state, view), after => withPressure(after, view));
    case 'rollOver':
      if (successor) return onRollOverTime(state, successor) ?? takeOver(state, successor, view);
      return openSuccessor(state, view, successorPlace(state, view.nowMs));
  }
}

/** Leaves a service whose words are late. */
function onCheck(state: StreamState, view: StreamView): StreamStep {
  const { current, settings, format } = state;
  const next = step(state, ...startLate(state));
  if (!settings.standby || !current?.awaited || state.isFinishing) return next;
  if (!isLive(state, view.nowMs)) return next;
  const check = { ...view, sentFrame: current.sentFrame, sampleRate: format.sampleRate };
  const { lateness, isLate } = withCheck(state.lateness, check, settings.standby.takeOverMs);
  const checked = { ...state, lateness };
  if (!isLate) return step(checked, ...startLate(state));
  const left = step(checked, ...startLate(state), { type: 'disconnect', link: current.id });
  return chain(left, after => onBreak(after, lateError(), view));
}
