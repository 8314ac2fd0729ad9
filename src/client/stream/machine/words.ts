import type { FinalEvent } from '../../../transcript/model/events.ts';
import { deafError } from '../../serviceErrors.ts';
import { type ReportedStep, withFinal, withPartial, withRead, withRest } from '../recovery/reportedAudio.ts';
import { gridFrame } from '../recovery/resume.ts';
import { addHoles, withSettled } from './holes.ts';
import { onBreak, open, openOrEnd, takeOver, withAwaited } from './links.ts';
import type { LatestWords, Link, Step, StreamState, WordsEvent } from './model.ts';
import { isLive, withPressure } from './sending.ts';
import { disconnect, settledFrameOf, waitingFrames, withoutSuccessor } from './steps.ts';
import { startDeafChecks } from './timers.ts';

/** Seconds of sound without words after which a service is deaf. */
const DEAF_SECONDS = 8;

/** Takes words of the current link, with the times of the source. */
export function onWords(state: StreamState, current: Link, event: WordsEvent, step: Step): StreamState {
  const { sampleRate, startTs = 0 } = state.reported.time;
  const endFrame = gridFrame(event.endTs - startTs, sampleRate);
  const next = event.elements.length > 0 ? withLatest(state, endFrame, step.view.nowMs) : state;
  if (event.type === 'final') return onFinal(next, current, event, step);
  step.effects.push({ type: 'transcript', event });
  return { ...next, reported: withPartial(state.reported, event, current.sentFrame, state.gaps) };
}

function onFinal(state: StreamState, current: Link, final: FinalEvent, step: Step): StreamState {
  const place = { sentFrame: current.sentFrame, isFirst: !current.hasFinal };
  const link = { ...current, hasFinal: true };
  const reported = withFinal(state.reported, final, place, state.gaps);
  const settled = settle({ ...state, current: link }, reported, step);
  // Repeated words are no progress: the outage goes on.
  const next = isProgress(state, settled)
    ? { ...settled, current: withAwaited(link, settled, step.view), outage: undefined }
    : settled;
  // The successor takes over after a final, where no words are pending.
  return next.successor?.phase.recognizer?.connected ? takeOver(next, next.successor, step) : next;
}

/** The service has read the audio before a frame of the source over the current link. */
export function onRead(state: StreamState, current: Link, readFrame: number, step: Step): StreamState {
  const { awaited, sentFrame } = current;
  if (!awaited) return state;
  const elapsedSeconds = (step.view.nowMs - awaited.sinceMs) / 1000;
  const read = { readFrame, originFrame: awaited.fromFrame, elapsedSeconds };
  const { isIdle, frame } = state.idle;
  // A paused source has nothing to settle; an answered ping is progress then.
  const isPaused = isIdle && frame === sentFrame && waitingFrames(state) === 0;
  const next = settle(state, withRead(state.reported, read, state.gaps), step);
  const isWell = isProgress(state, next) || (isPaused && !state.isFinishing);
  return isWell ? { ...next, outage: undefined } : next;
}

/** The service has given all words of the audio that was sent: of the whole source, or of that before a pause. */
export function onRest(state: StreamState, current: Link, step: Step): StreamState {
  // Also without `connected` or words, which a service may leave out: it has accepted the stream.
  const accepted = { accepted: state.query.query, outage: undefined };
  const rest = withoutSuccessor({ ...state, ...accepted, current: undefined }, step);
  const next = settle(rest, withRest(state.reported, current.sentFrame, state.gaps), step);
  if (next.isFinishing) return openOrEnd(next, step);
  return waitingFrames(next) > 0 ? open(next, step) : withPressure(next, step);
}

/**
 * Checks whether the service is deaf: sound without any words, although words came since the service was last changed. Music
 * changes the service once at most.
 */
export function onDeafCheck(state: StreamState, step: Step): StreamState {
  const { current, format, isFinishing, latestWords } = state;
  const { nowMs } = step.view;
  startDeafChecks(state, step);
  if (!current || !latestWords || isFinishing || !isLive(state, nowMs)) return state;
  // A service that gets a backlog at once cannot have words for all of it.
  const dueFrame = Math.min(current.sentFrame, promptFrame(latestWords, format.sampleRate, nowMs));
  const soundFrames = step.view.soundFrames(latestWords.endFrame, dueFrame);
  if (soundFrames < DEAF_SECONDS * format.sampleRate) return state;
  disconnect(current, step);
  return onBreak(withoutSuccessor(state, step), deafError(DEAF_SECONDS), step, DEAF_SECONDS * 1000);
}

function withLatest(state: StreamState, endFrame: number, nowMs: number): StreamState {
  const { latestWords: before, format } = state;
  const isPrompt = !before || endFrame >= promptFrame(before, format.sampleRate, nowMs);
  const prompt = isPrompt ? { promptFrame: endFrame, promptMs: nowMs } : before;
  return { ...state, latestWords: { ...prompt, endFrame: Math.max(before?.endFrame ?? 0, endFrame) } };
}

/** Returns the frame up to which words would have come by now with the shortest delay so far. */
function promptFrame(words: LatestWords, sampleRate: number, nowMs: number): number {
  return words.promptFrame + ((nowMs - words.promptMs) / 1000) * sampleRate;
}

function isProgress(before: StreamState, after: StreamState): boolean {
  return settledFrameOf(after) > settledFrameOf(before);
}

/** Returns the state after newly reported events. */
function settle(state: StreamState, { reported, events, lost }: ReportedStep, step: Step): StreamState {
  let next: StreamState = { ...state, reported };
  if (events.length === 0 && lost.length === 0) return next;
  const frame = settledFrameOf(next);
  for (const range of lost) next = addHoles(next, range, 'no-final', step);
  for (const event of events) step.effects.push({ type: 'transcript', event });
  step.effects.push({ type: 'settled', frame });
  return withPressure({ ...next, holes: withSettled(next.holes, frame) }, step);
}
