import type { FinalEvent } from '../../../transcript/model/events.ts';
import { lateError } from '../../serviceErrors.ts';
import { withCheck, withoutTail, withWords } from '../recovery/lateness.ts';
import { type ReportedStep, withFinal, withPartial, withRead, withRest } from '../recovery/reportedAudio.ts';
import { gridFrame } from '../recovery/resume.ts';
import { isLive, withPressure } from './flow.ts';
import { withSettled } from './holes.ts';
import { open, openOrEnd, openSuccessor, takeOver, takeOverBeside, withAwaited } from './links.ts';
import type { Link, Step, StreamState, WordsEvent } from './model.ts';
import { disconnect, settledFrameOf, waitingFrames, withLink, withoutSuccessor } from './steps.ts';
import { startLate } from './timers.ts';

/** Time for which a second link hears the audio, as a multiple of the time for a takeover: neither may have words, as for music. */
const HEDGE_TAKE_OVERS = 3;

/** Takes words of the current link, with the times of the source. */
export function onWords(state: StreamState, current: Link, event: WordsEvent, step: Step): StreamState {
  const { sampleRate, startTs = 0 } = state.reported.time;
  const endFrame = gridFrame(event.endTs - startTs, sampleRate);
  const words = { type: event.type, endFrame, nowMs: step.view.nowMs };
  const hasWords = event.elements.length > 0;
  const lateness = hasWords ? withWords(state.lateness, words) : withoutTail(state.lateness);
  const next = { ...state, lateness };
  if (event.type === 'final') return onFinal(next, current, event, step);
  step.effects.push({ type: 'transcript', event });
  return { ...next, reported: withPartial(state.reported, event, current.sentFrame, state.gaps) };
}

function onFinal(state: StreamState, current: Link, final: FinalEvent, step: Step): StreamState {
  const place = { sentFrame: current.sentFrame, isFirst: !current.hasFinal };
  const link = { ...current, hasFinal: true };
  const reported = withFinal(state.reported, final, place, state.gaps);
  // Another link would hear words again that are final now.
  const settled = withoutHedge(settle({ ...state, current: link }, reported, step), step);
  // Repeated words are no progress: the outage goes on.
  const next = isProgress(state, settled)
    ? { ...settled, current: withAwaited(link, settled, step.view), outage: undefined }
    : settled;
  // The successor takes over after a final, where no words are pending.
  return next.successor?.connected ? takeOver(next, next.successor, step) : next;
}

/** The service has read the audio that was sent before its last ping over the current link. */
export function onRead(state: StreamState, current: Link, step: Step): StreamState {
  const { awaited, sentFrame, pingedSourceFrame: readFrame } = current;
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
  const accepted = { wasConnected: true, accepted: state.query.query, outage: undefined };
  const rest = withoutSuccessor({ ...state, ...accepted, current: undefined }, step);
  const next = settle(rest, withRest(state.reported, current.sentFrame, state.gaps), step);
  if (next.isFinishing) return openOrEnd(next, step);
  return waitingFrames(next) > 0 ? open(next, step) : withPressure(next, step);
}

/**
 * Checks for late words. When they are late, the other service hears the same audio over a second link. It goes on once it
 * has words that the first one should have had; when those come after all, the second link is closed.
 */
export function onCheck(state: StreamState, step: Step): StreamState {
  const { current, successor, settings, format, gaps } = state;
  const { standby } = settings;
  startLate(state, step);
  if (!standby || !current?.awaited || state.isFinishing || !isLive(state, step.view.nowMs)) return state;
  const hedge = successor?.heard && successor;
  const check = { ...step.view, gaps, sentFrame: current.sentFrame, sampleRate: format.sampleRate };
  const checked = withCheck(state.lateness, check, standby.takeOverMs, hedge && heardFrame(hedge, state));
  const { lateness, isLate, isBehind } = checked;
  const next = { ...state, lateness };
  if (!hedge) return isLate ? openHedge(next, step) : next;
  if (isBehind) {
    disconnect(current, step);
    return takeOverBeside(next, hedge, lateError(), step);
  }
  if (!isLate) return withoutHedge(next, step);
  // No words on either side: it is no speech. The next attempt waits for longer.
  if (step.view.nowMs - hedge.openedMs <= HEDGE_TAKE_OVERS * standby.takeOverMs) return next;
  disconnect(hedge, step);
  return { ...next, successor: undefined };
}

/** Takes words of a link that hears the audio beside the current one. */
export function onHeard(state: StreamState, hedge: Link, event: WordsEvent): StreamState {
  const finals = hedge.heard?.filter(({ type }) => type === 'final') ?? [];
  return withLink(state, { ...hedge, heard: [...finals, event] });
}

/** Takes the words of a link that heard the audio beside another one, and is now the current one. */
export function withHeard(state: StreamState, { heard = [], ...link }: Link, step: Step): StreamState {
  let next: StreamState = { ...state, current: { ...link, heard: undefined } };
  for (const event of heard) {
    if (next.current?.id === link.id) next = onWords(next, next.current, event, step);
  }
  return next;
}

/** Closes a link that hears the audio beside the current one, which has words again. */
function withoutHedge(state: StreamState, step: Step): StreamState {
  const { successor, lateness } = state;
  if (!successor?.heard) return state;
  disconnect(successor, step);
  return { ...state, successor: undefined, lateness: { ...lateness, lateAttempts: 0 } };
}

function openHedge(state: StreamState, step: Step): StreamState {
  const { services, successor } = state;
  const place = services.place === 'first' ? 'standby' : 'first';
  if (services.refused.includes(place)) return state;
  disconnect(successor, step);
  return openSuccessor(state, place, step, []);
}

/** Returns the frame of the source up to which a link has words. */
function heardFrame({ heard = [] }: Link, { reported: { time } }: StreamState): number {
  const ends = heard.flatMap(({ elements, endTs }) => (elements.length > 0 ? [endTs] : []));
  return gridFrame(Math.max(0, ...ends) - (time.startTs ?? 0), time.sampleRate);
}

function isProgress(before: StreamState, after: StreamState): boolean {
  return settledFrameOf(after) > settledFrameOf(before);
}

/** Returns the state after newly reported events. */
function settle(state: StreamState, { reported, events }: ReportedStep, step: Step): StreamState {
  const next = { ...state, reported };
  if (events.length === 0) return next;
  const frame = settledFrameOf(next);
  for (const event of events) step.effects.push({ type: 'transcript', event });
  step.effects.push({ type: 'settled', frame });
  return withPressure({ ...next, holes: withSettled(state.holes, frame) }, step);
}
