import { checkIntervalMs } from '../recovery/lateness.ts';
import type { Place } from '../recovery/services.ts';
import type { Link, StreamEffect, StreamState, StreamStep, StreamView } from './model.ts';
import { drain, pad } from './sending.ts';
import { chain, step, timer, withoutSuccessor } from './steps.ts';

/** Milliseconds that a successor connection waits for a pause before it takes over without one. */
const PAUSE_WAIT_MS = 240_000;

/** Interval of the silence sent to a successor, in milliseconds. A service closes a connection without audio after 15 s. */
const KEEP_ALIVE_MS = 5000;
const SUCCESSOR_PAD_SECONDS = 0.1;

/** Milliseconds until the next attempt when a second connection failed. */
const SUCCESSOR_RETRY_MS = 30_000;

/** Milliseconds between two idle checks of the source. */
const IDLE_MS = 5000;

/** Seconds of the first silence, which ends an utterance, and of each further one, which keeps the connection open. */
const FIRST_PAD_SECONDS = 1;
const NEXT_PAD_SECONDS = 0.1;

/** Starts the timer of the first idle check. */
export const startIdle = timer('idle', IDLE_MS);

/**
 * Starts the timer that opens a successor, keeps it open, or makes it take over.
 *
 * @param ageMs milliseconds since the current link was opened
 */
export function startRollOver(
  wait: 'session' | 'successor' | 'retry',
  { settings, services }: StreamState,
  ageMs = 0,
): StreamEffect {
  const isReturning = services.place === 'standby';
  const wholeMs = settings.sessionSeconds * 1000;
  // A successor that has waited for most of a short session is not replaced at once.
  const sessionMs = Math.max(wholeMs / 2, wholeMs - ageMs);
  const delayMs = {
    session: isReturning ? Math.min(services.returnMs, sessionMs) : sessionMs,
    successor: KEEP_ALIVE_MS,
    retry: isReturning ? services.returnMs : SUCCESSOR_RETRY_MS,
  }[wait];
  return timer('rollOver', delayMs);
}

/** Returns the service of a successor: the first one again, unless the session of the standby gets too old for that. */
export function successorPlace({ current, settings, services }: StreamState, nowMs: number): Place {
  const { place, returnMs } = services;
  if (place === 'first' || !current) return place;
  const restMs = settings.sessionSeconds * 1000 - (nowMs - current.openedMs);
  return restMs < returnMs ? 'standby' : 'first';
}

/** Starts the timer of the next check for late words, for which there must be a standby. */
export function startLate({ settings: { standby } }: StreamState): readonly StreamEffect[] {
  if (!standby) return [];
  return [timer('late', checkIntervalMs(standby.takeOverMs))];
}

/** Keeps a successor open for another while; undefined when it has waited long enough for a pause. */
export function onRollOverTime(state: StreamState, successor: Link, nowMs: number): StreamStep | undefined {
  const { connectedMs = nowMs } = successor;
  if (nowMs - connectedMs >= PAUSE_WAIT_MS) return undefined;
  const padded = pad(state, successor, SUCCESSOR_PAD_SECONDS);
  return chain(padded, after => step(after, startRollOver('successor', after)));
}

/**
 * Checks the source: one that gave nothing since the last check is idle.
 *
 * @param sentFrame undefined while audio waits, or no connection takes any
 */
export function onIdle(state: StreamState, sentFrame: number | undefined, view: StreamView): StreamStep {
  const { current, settings, idle } = state;
  const isIdle = sentFrame !== undefined && sentFrame === idle.frame;
  const next = step({ ...state, idle: { frame: sentFrame, isIdle } }, startIdle);
  if (!isIdle || !current) return next;
  if (settings.idle === 'close') return chain(next, withoutSuccessor, after => drain(after, current, view));
  return chain(next, after => pad(after, current, idle.isIdle ? NEXT_PAD_SECONDS : FIRST_PAD_SECONDS));
}
