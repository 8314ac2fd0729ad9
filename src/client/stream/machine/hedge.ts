import { lateError } from '../../serviceErrors.ts';
import { withCheck } from '../recovery/lateness.ts';
import { gridFrame } from '../recovery/resume.ts';
import { isLive } from './flow.ts';
import { openSuccessor, takeOverBeside } from './links.ts';
import type { Link, StreamState, StreamStep, StreamView, WordsEvent } from './model.ts';
import { chain, disconnect, prepend, step, withLink } from './steps.ts';
import { startLate } from './waits.ts';

/** Time for which a second link hears the audio, as a multiple of the time for a takeover: neither may have words, as for music. */
const HEDGE_TAKE_OVERS = 3;

/**
 * Checks for late words. When they are late, the other service hears the same audio over a second link. It goes on once it
 * has words that the first one should have had; when those come after all, the second link is closed.
 */
export function onCheck(state: StreamState, view: StreamView): StreamStep {
  const { current, successor, settings, format, gaps } = state;
  const { standby } = settings;
  const next = step(state, ...startLate(state));
  if (!standby || !current?.awaited || state.isFinishing || !isLive(state, view.nowMs)) return next;
  const hedge = successor?.heard && successor;
  const check = { ...view, gaps, sentFrame: current.sentFrame, sampleRate: format.sampleRate };
  const checked = withCheck(state.lateness, check, standby.takeOverMs, hedge && heardFrame(hedge, state));
  const { lateness, isLate, isBehind } = checked;
  const noted = step({ ...state, lateness }, ...startLate(state));
  if (!hedge) return isLate ? chain(noted, after => openHedge(after, view)) : noted;
  if (isBehind) {
    const left = prepend(disconnect(current), noted);
    return chain(left, after => takeOverBeside(after, hedge, lateError(), view));
  }
  if (!isLate) return chain(noted, withoutHedge);
  // No words on either side: it is no speech. The next attempt waits for longer.
  const isOver = view.nowMs - hedge.openedMs > HEDGE_TAKE_OVERS * standby.takeOverMs;
  return isOver
    ? chain(noted, after => step({ ...after, successor: undefined }, ...disconnect(hedge)))
    : noted;
}

/** Takes words of a link that hears the audio beside the current one. */
export function onHeard(state: StreamState, hedge: Link, event: WordsEvent): StreamStep {
  const finals = hedge.heard?.filter(({ type }) => type === 'final') ?? [];
  return step(withLink(state, { ...hedge, heard: [...finals, event] }));
}

/** Closes a link that hears the audio beside the current one, which has words again. */
export function withoutHedge(state: StreamState): StreamStep {
  const { successor, lateness } = state;
  if (!successor?.heard) return step(state);
  const well = { ...lateness, lateAttempts: 0 };
  return step({ ...state, successor: undefined, lateness: well }, ...disconnect(successor));
}

function openHedge(state: StreamState, view: StreamView): StreamStep {
  const { services, successor } = state;
  const place = services.place === 'first' ? 'standby' : 'first';
  if (services.refused.includes(place)) return step(state);
  return prepend(disconnect(successor), openSuccessor(state, view, place, []));
}

/** Returns the frame of the source up to which a link has words. */
function heardFrame({ heard = [] }: Link, { reported: { time } }: StreamState): number {
  const ends = heard.flatMap(({ elements, endTs }) => (elements.length > 0 ? [endTs] : []));
  return gridFrame(Math.max(0, ...ends) - (time.startTs ?? 0), time.sampleRate);
}
