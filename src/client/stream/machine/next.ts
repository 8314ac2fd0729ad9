import type { PcmFormat } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import type { QueryChange } from '../options.ts';
import { bucketLimits } from '../recovery/catchUp.ts';
import { startOfServices } from '../recovery/reconnect.ts';
import { startOfReported } from '../recovery/reportedAudio.ts';
import { audioFrames } from '../recovery/sourceTime.ts';
import type { StreamSettings } from '../settings.ts';
import { NO_AUDIO_WARNING } from '../status.ts';
import { extend, fallBack, makeRoom, onClose, onFailure, repairRest, withQuery } from './holes.ts';
import { onPlace, open, openOrEnd, openSuccessor, takeOver } from './links.ts';
import type {
  Step,
  StreamEffect,
  StreamEvent,
  StreamState,
  StreamStep,
  StreamTimer,
  StreamView,
} from './model.ts';
import { drain, sendWaiting, startOfFlow, withArrived, withPace, withPressure } from './sending.ts';
import { onLink } from './socketEvents.ts';
import { disconnect, isStreaming, report, waitingFrames, withoutSuccessor } from './steps.ts';
import { onIdle, onRollOverTime, startDeafChecks, startIdle } from './timers.ts';
import { onDeafCheck } from './words.ts';

/** Returns the state of a stream whose format is known, before it starts. */
export function startOfStream(settings: StreamSettings, format: PcmFormat): StreamState {
  const { clock, query, catchUp } = settings;
  return {
    settings,
    format,
    phase: { type: 'streaming' },
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
    droppedFrame: 0,
    outage: undefined,
    failures: 0,
    services: startOfServices,
    latestWords: undefined,
    idle: { frame: undefined, isIdle: false },
    flow: startOfFlow(clock.now()),
    limits: bucketLimits(catchUp, format.sampleRate),
    backlog: undefined,
  };
}

/**
 * Returns the step after an event: when to connect, what to send, and again after a break, when to move to another link, and
 * when the stream has ended. A stream that has ended takes no more steps.
 */
export function next(state: StreamState, event: StreamEvent, view: StreamView): StreamStep {
  const effects: StreamEffect[] = [];
  if (state.phase.type === 'ended') return { state, effects };
  const step = { view, effects };
  return { state: afterEvent(state, event, step), effects };
}

function afterEvent(state: StreamState, event: StreamEvent, step: Step): StreamState {
  switch (event.type) {
    case 'start':
      return onStart(state, step);
    case 'audio':
      return onAudio(state, event, step);
    case 'query':
      return onQuery(state, event.change, step);
    case 'place':
      return onPlace(state, event.place, step);
    case 'finish':
      return onFinish({ ...state, isFinishing: true }, step);
    case 'fail':
      return onFailure(state, event.error, step);
    case 'close':
      return onClose(state, step);
    case 'repaired':
      step.effects.push({ type: 'end', how: 'complete' });
      return { ...state, phase: { type: 'ended' } };
    case 'timeout':
      return onTimeout(state, event.timer, step);
    default:
      return onLink(state, event, step);
  }
}

function onStart(state: StreamState, step: Step): StreamState {
  if (state.settings.fallback?.asyncOnly) return fallBack(state, { cause: 'async-only' }, step);
  startIdle(step);
  startDeafChecks(state, step);
  return open(state, step);
}

function onAudio(state: StreamState, { startFrame, endFrame }: FrameRange, step: Step): StreamState {
  const flow = withArrived(state.flow, endFrame - startFrame, step.view.nowMs);
  const extended = extend({ ...state, flow, headFrame: endFrame }, state.headFrame, startFrame, step);
  const next = makeRoom(withPace(extended, step), step);
  if (next.phase.type === 'ended') return next;
  if (!isStreaming(next)) return withPressure(next, step);
  if (next.current) return withPressure(sendWaiting(next, step), step);
  // A source that was paused goes on.
  const isOpening = next.phase.type === 'streaming' && waitingFrames(next) > 0;
  return withPressure(isOpening ? open(next, step) : next, step);
}

/** Ends the audio of the current query at the end of the audio so far. */
function onQuery(state: StreamState, change: QueryChange, step: Step): StreamState {
  if (state.isFinishing) return state;
  const { query, nextQueries, current, gaps, headFrame } = state;
  const last = nextQueries.at(-1) ?? query;
  const hasAudio = audioFrames(gaps, last.startFrame, headFrame) > 0;
  const startFrame = hasAudio ? headFrame : last.startFrame;
  const span = { startFrame, query: { ...last.query, ...change } };
  const noted = withQuery(state, span, step);
  if (!hasAudio && nextQueries.length > 0) {
    return { ...noted, nextQueries: [...nextQueries.slice(0, -1), span] };
  }
  const alone = withoutSuccessor(noted, step);
  if (hasAudio) {
    const ending = { ...alone, nextQueries: [...nextQueries, span] };
    return current ? drain(ending, current, step) : ending;
  }
  // Nothing is reported of a session without audio.
  disconnect(current, step);
  return { ...alone, query: span, current: undefined };
}

function onFinish(state: StreamState, step: Step): StreamState {
  if (state.flow.arrivedFrames === 0) report(NO_AUDIO_WARNING, step);
  step.effects.push({ type: 'finished' });
  if (state.phase.type === 'unstreamed') return repairRest(state, step);
  if (state.phase.type === 'repairing') return state;
  const { current } = state;
  if (current) return drain(withoutSuccessor(state, step), current, step);
  return state.phase.type === 'waiting' ? state : openOrEnd(state, step);
}

function onTimeout(state: StreamState, timer: StreamTimer, step: Step): StreamState {
  if (!isStreaming(state)) return state;
  const { current, successor } = state;
  switch (timer) {
    case 'retry':
      return openOrEnd({ ...state, phase: { type: 'streaming' } }, step);
    case 'idle': {
      const isQuiet = current && waitingFrames(state) === 0 && !state.isFinishing;
      return onIdle(state, isQuiet ? current.sentFrame : undefined, step);
    }
    case 'deaf':
      return onDeafCheck(state, step);
    case 'pace':
      return withPressure(sendWaiting(state, step), step);
    case 'rollOver':
      if (!successor) return openSuccessor(state, step);
      return onRollOverTime(state, successor, step) ?? takeOver(state, successor, step);
  }
}
