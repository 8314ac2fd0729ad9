import type { PcmFormat } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import type { QueryChange } from '../options.ts';
import { bucketLimits } from '../recovery/catchUp.ts';
import { startOfLateness } from '../recovery/lateness.ts';
import { startOfReported } from '../recovery/reportedAudio.ts';
import { startOfServices } from '../recovery/services.ts';
import { audioFrames } from '../recovery/sourceGaps.ts';
import type { StreamSettings } from '../settings.ts';
import { NO_AUDIO_WARNING } from '../status.ts';
import { fallBack, onClose, onFailure } from './ending.ts';
import { startOfFlow, withArrived, withPace, withPressure } from './flow.ts';
import { onCheck } from './hedge.ts';
import { extend, repairRest, withQuery } from './holes.ts';
import { open, openOrEnd, openSuccessor, takeOver } from './links.ts';
import type { StreamEvent, StreamState, StreamStep, StreamTimer, StreamView } from './model.ts';
import { makeRoom } from './room.ts';
import { drain, sendBeside, sendWaiting } from './sending.ts';
import { onLink } from './socketEvents.ts';
import { chain, disconnect, prepend, status, step, waitingFrames, withoutSuccessor } from './steps.ts';
import { onIdle, onRollOverTime, startIdle, startLate, startRollOver, successorPlace } from './waits.ts';
import { withHeard } from './words.ts';

/** Returns the state of a stream whose format is known, before it starts. */
export function startOfStream(settings: StreamSettings, format: PcmFormat): StreamState {
  const { clock, query, catchUp } = settings;
  return {
    settings,
    format,
    phase: 'streaming',
    isFinishing: false,
    query: { startFrame: 0, query },
    nextQueries: [],
    accepted: undefined,
    current: undefined,
    successor: undefined,
    leaving: [],
    links: 0,
    headFrame: 0,
    gaps: [],
    reported: startOfReported({ sampleRate: format.sampleRate, startTs: query.startTs }),
    holes: { known: [], queries: [{ startFrame: 0, query }], open: [] },
    unstreamed: undefined,
    droppedFrame: 0,
    outage: undefined,
    failures: 0,
    services: startOfServices,
    lateness: startOfLateness,
    wasConnected: false,
    isWaiting: false,
    idle: { frame: undefined, isIdle: false },
    flow: startOfFlow(clock.now()),
    limits: bucketLimits({ ...catchUp, sampleRate: format.sampleRate }),
    backlog: undefined,
  };
}

/**
 * Returns the step after an event: when to connect, what to send, and again after a break, when to move to another link, and
 * when the stream has ended. A stream that has ended takes no more steps.
 */
export function next(state: StreamState, event: StreamEvent, view: StreamView): StreamStep {
  if (state.phase === 'ended') return step(state);
  const taken = afterEvent(state, event, view);
  const { current } = taken.state;
  return current?.heard ? chain(taken, after => withHeard(after, current, view)) : taken;
}

function afterEvent(state: StreamState, event: StreamEvent, view: StreamView): StreamStep {
  switch (event.type) {
    case 'start':
      return onStart(state, view);
    case 'audio':
      return onAudio(state, event, view);
    case 'query':
      return onQuery(state, event.change, view);
    case 'finish':
      return onFinish({ ...state, isFinishing: true }, view);
    case 'fail':
      return onFailure(state, event.error);
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

function onAudio(state: StreamState, audio: FrameRange, view: StreamView): StreamStep {
  const flow = withArrived(state.flow, audio.endFrame - audio.startFrame, view.nowMs);
  return chain(
    extend({ ...state, flow, headFrame: audio.endFrame }, state.headFrame, audio.startFrame),
    after => withPace(after, view.nowMs),
    after => makeRoom(after, view),
    after => {
      if (after.phase !== 'streaming') return step(after);
      if (after.current) return chain(sendWaiting(after, view), sent => sendBeside(sent, view));
      // A source that was paused goes on.
      return after.isWaiting || waitingFrames(after) === 0 ? step(after) : open(after, view);
    },
    after => (after.phase === 'ended' ? step(after) : withPressure(after, view)),
  );
}

/** Ends the audio of the current query at the end of the audio so far. */
function onQuery(state: StreamState, change: QueryChange, view: StreamView): StreamStep {
  if (state.isFinishing) return step(state);
  const { query, nextQueries, current, gaps, headFrame } = state;
  const last = nextQueries.at(-1) ?? query;
  const hasAudio = audioFrames(gaps, last.startFrame, headFrame) > 0;
  const startFrame = hasAudio ? headFrame : last.startFrame;
  const span = { startFrame, query: { ...last.query, ...change } };
  const noted = withQuery(state, span);
  if (!hasAudio && nextQueries.length > 0) {
    return chain(noted, after => step({ ...after, nextQueries: [...nextQueries.slice(0, -1), span] }));
  }
  const alone = chain(noted, withoutSuccessor);
  if (hasAudio) {
    const ending = chain(alone, after => step({ ...after, nextQueries: [...nextQueries, span] }));
    return current ? chain(ending, after => drain(after, current, view)) : ending;
  }
  // Nothing is reported of a session without audio.
  return chain(alone, after => step({ ...after, query: span, current: undefined }, ...disconnect(current)));
}

function onFinish(state: StreamState, view: StreamView): StreamStep {
  const warning = state.flow.arrivedFrames === 0 ? [status(NO_AUDIO_WARNING)] : [];
  return prepend([...warning, { type: 'finished' }], endAudio(state, view));
}

function endAudio(state: StreamState, view: StreamView): StreamStep {
  if (state.phase === 'unstreamed') return repairRest(state);
  if (state.phase === 'repairing') return step(state);
  const { current } = state;
  if (current) return chain(withoutSuccessor(state), after => drain(after, current, view));
  return state.isWaiting ? step(state) : openOrEnd(state, view);
}

function onTimeout(state: StreamState, timer: StreamTimer, view: StreamView): StreamStep {
  if (state.phase !== 'streaming') return step(state);
  const { current, successor } = state;
  switch (timer) {
    case 'retry':
      return openOrEnd({ ...state, isWaiting: false }, view);
    case 'idle': {
      const isQuiet = current && waitingFrames(state) === 0 && !state.isFinishing;
      return onIdle(state, isQuiet ? current.sentFrame : undefined, view);
    }
    case 'late':
      return onCheck(state, view);
    case 'pace':
      return chain(sendWaiting(state, view), after => withPressure(after, view));
    case 'rollOver':
      if (successor?.heard) return step(state, startRollOver('successor', state));
      if (successor) return onRollOverTime(state, successor, view.nowMs) ?? takeOver(state, successor, view);
      return openSuccessor(state, view, successorPlace(state, view.nowMs));
  }
}
