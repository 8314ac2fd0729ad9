import { messageOf } from '../../../base/errors.ts';
import { CLOSE } from '../../../protocol/closeCodes.ts';
import { decodeMessage, UnknownMessageError } from '../../../protocol/messages.ts';
import type { ConnectedEvent, TranscriptEvent } from '../../../transcript/model/events.ts';
import { closeError, type SocketClose } from './closeErrors.ts';
import {
  fail,
  type SessionEffect,
  type SessionEvent,
  type SessionSettings,
  type SessionState,
  type SessionStep,
  startTimer,
  status,
  step,
  warning,
} from './sessionModel.ts';
import { onTimeout } from './sessionTimeouts.ts';
import { SAME_TIME, toSourceTime, withJump, withPad } from './timeMap.ts';

/** Returns the first step of a session. */
export function startSession(settings: SessionSettings): SessionStep {
  const state: SessionState = {
    phase: 'connecting',
    settings,
    isReady: false,
    sentFrames: 0,
    sourceFrame: settings.originFrame,
    timeMap: SAME_TIME,
    pingedFrames: 0,
    pingedSourceFrame: settings.originFrame,
    isPongLate: false,
    readFrames: 0,
    hasReceived: false,
  };
  return step(
    state,
    status({ type: 'connecting', address: settings.address }),
    startTimer(state, 'connect'),
    { type: 'connect' },
  );
}

/** Returns whether the service takes audio now. */
export function takesAudio(state: SessionState): boolean {
  return state.phase === 'open' || state.phase === 'streaming';
}

/** Returns the step after an event. A closed session takes no more steps. */
export function next(state: SessionState, event: SessionEvent): SessionStep {
  if (state.phase === 'closed') return step(state);
  switch (event.type) {
    case 'opened':
      return step(
        { ...state, phase: 'open' },
        { type: 'stopTimer', timer: 'connect' },
        startTimer(state, 'ready'),
        startTimer(state, 'ping'),
        status({ type: 'open' }),
        { type: 'writable' },
      );
    case 'sent':
      return onSent(state, event.startFrame, event.frames);
    case 'padded':
      return onPadded(state, event.frames);
    case 'flushed':
      return onFlushed(state);
    case 'text':
      return onText({ ...state, hasReceived: true }, event.text);
    case 'binary':
      return step(
        { ...state, hasReceived: true },
        warning('binary-message', 'The service sent a binary frame.'),
      );
    case 'pong':
      return step(
        { ...state, readFrames: state.pingedFrames },
        { type: 'stopTimer', timer: 'pong' },
        startTimer(state, 'ping'),
        { type: 'read', frame: state.pingedSourceFrame },
        // Before a recogniser is ready, each answer makes room for more audio.
        { type: 'writable' },
      );
    case 'timeout':
      return onTimeout(state, event.timer);
    case 'closed':
      return onClosed(state, event.close);
    case 'failed':
      return fail(state, event.error);
    case 'stopped':
      return step(
        { ...state, phase: 'closed' },
        status({ type: 'closed', code: 1000, reason: 'Stopped by the client' }),
        { type: 'ended' },
      );
  }
}

function onSent(state: SessionState, startFrame: number, frames: number): SessionStep {
  const skippedFrames = startFrame - state.sourceFrame;
  return step({
    ...state,
    sentFrames: state.sentFrames + frames,
    sourceFrame: startFrame + frames,
    timeMap: skippedFrames === 0 ? state.timeMap : withJump(state.timeMap, state.sentFrames, skippedFrames),
  });
}

/** Advances the clock of the service, but not that of the source. */
function onPadded(state: SessionState, frames: number): SessionStep {
  const sentFrames = state.sentFrames + frames;
  return step({ ...state, sentFrames, timeMap: withPad(state.timeMap, state.sentFrames, frames) });
}

function onFlushed(state: SessionState): SessionStep {
  if (!takesAudio(state)) return step(state);
  // While no recogniser is ready, the timeout for that applies.
  const timer = state.isReady ? [startTimer(state, 'final')] : [];
  return step({ ...state, phase: 'draining' }, { type: 'sendEnd' }, ...timer, status({ type: 'draining' }));
}

function onText(state: SessionState, text: string): SessionStep {
  try {
    const { event, warning: correction } = decodeMessage(text);
    const warnings = correction ? [warning('corrected-final', correction)] : [];
    return event.type === 'connected' ? onConnected(state, event) : onWords(state, event, warnings);
  } catch (error) {
    const code = error instanceof UnknownMessageError ? 'unknown-message' : 'malformed-message';
    return step(state, warning(code, messageOf(error)));
  }
}

function onConnected(state: SessionState, event: ConnectedEvent): SessionStep {
  const { id } = event;
  if (state.id !== undefined) {
    return step(state, warning('repeated-connected', 'The service sent `connected` again.'));
  }
  const ready = becomeReady({ ...state, id });
  const reports = [status({ type: 'connected', id }), { type: 'transcript', event }] as const;
  return step(ready.state, ...ready.effects, ...reports, ...flushOnce(state));
}

function onWords(
  state: SessionState,
  event: TranscriptEvent,
  warnings: readonly SessionEffect[],
): SessionStep {
  const { settings, timeMap: map } = state;
  const time = { map, sampleRate: settings.sampleRate, startTs: settings.startTs };
  const ready = becomeReady(state);
  const stands = withTail(ready.state, event.type === 'partial' && event.elements.length > 0);
  const words = { type: 'transcript', event: toSourceTime(event, time) } as const;
  return step(stands.state, ...ready.effects, ...stands.effects, ...warnings, words, ...flushOnce(state));
}

/** Starts the timeout of words that are not final: a service that answers pings but returns no words has failed. */
function withTail({ tailFrames, ...state }: SessionState, hasTail: boolean): SessionStep {
  const stopStall = { type: 'stopTimer', timer: 'stall' } as const;
  if (!hasTail) return step(state, ...(tailFrames === undefined ? [] : [stopStall]));
  return step({ ...state, tailFrames: state.sentFrames }, startTimer(state, 'stall'));
}

/** Restarts the timeouts at a message of a recogniser. */
function becomeReady(state: SessionState): SessionStep {
  const phase = state.phase === 'open' ? 'streaming' : state.phase;
  return step(
    { ...state, phase, isReady: true },
    ...(state.isReady ? [] : [{ type: 'stopTimer', timer: 'ready' } as const]),
    ...(phase === 'draining' ? [startTimer(state, 'final')] : []),
  );
}

/** Announces room for the audio that was held back until a recogniser was ready. */
function flushOnce({ isReady }: SessionState): readonly SessionEffect[] {
  return isReady ? [] : [{ type: 'writable' }];
}

function onClosed(state: SessionState, close: SocketClose): SessionStep {
  const { opened, code, reason } = close;
  const reports = opened ? [status({ type: 'closed', code, reason })] : [];
  if (state.phase === 'draining' && isGoodEnd(state, close)) {
    return step({ ...state, phase: 'closed' }, ...reports, { type: 'ended' });
  }
  const failed = fail(state, closeError(close));
  return step(failed.state, ...reports, ...failed.effects);
}

/** Returns whether a close is a good end: all words are final, or the service says that it is one. */
function isGoodEnd({ tailFrames }: SessionState, { code, reason }: SocketClose): boolean {
  if (code !== CLOSE.endOfInput.code || reason === CLOSE.idle.reason) return false;
  return tailFrames === undefined || reason === CLOSE.endOfInput.reason;
}
