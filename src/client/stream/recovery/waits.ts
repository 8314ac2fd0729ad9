import type { Attempt, ControllerEffect, ControllerState, ControllerStep } from './controllerModel.ts';
import { checkIntervalMs } from './lateness.ts';
import type { Place } from './services.ts';

/** Milliseconds that a successor connection waits for a pause before it takes over without one. */
const PAUSE_WAIT_MS = 240_000;

/** A service closes a connection that gets no audio for 15 s: a successor is sent silence as often as this. */
const KEEP_ALIVE_MS = 5000;
const SUCCESSOR_PAD_SECONDS = 0.1;

/** Milliseconds until the next attempt when a second connection failed. */
const SUCCESSOR_RETRY_MS = 30_000;

/** Milliseconds between two idle checks of the source. */
const IDLE_MS = 5000;

/** Seconds of silence that end an utterance, and that only keep the connection open. */
const FIRST_PAD_SECONDS = 1;
const NEXT_PAD_SECONDS = 0.1;

/** Starts the timer of the first idle check. */
export const startIdle = { type: 'startTimer', timer: 'idle', delayMs: IDLE_MS } as const;

/** Ends the life of a connection, or of a successor. */
export const stopRollOver = { type: 'stopTimer', timer: 'rollOver' } as const satisfies ControllerEffect;

/** Starts the timer that opens a successor, keeps it open, or makes it take over. */
export function startRollOver(
  wait: 'session' | 'successor' | 'retry',
  { settings, services }: ControllerState,
): ControllerEffect {
  const isReturning = services.place === 'standby';
  const sessionMs = settings.sessionSeconds * 1000;
  const delayMs = {
    session: isReturning ? Math.min(services.returnMs, sessionMs) : sessionMs,
    successor: KEEP_ALIVE_MS,
    retry: isReturning ? services.returnMs : SUCCESSOR_RETRY_MS,
  }[wait];
  return { type: 'startTimer', timer: 'rollOver', delayMs };
}

/** Returns the service of a successor: the first one again, unless the session of the standby gets too old for that. */
export function successorPlace({ current, settings, services }: ControllerState, nowMs: number): Place {
  const { place, returnMs } = services;
  if (place === 'first' || !current) return place;
  const restMs = settings.sessionSeconds * 1000 - (nowMs - current.openedMs);
  return restMs < returnMs ? 'standby' : 'first';
}

/** Starts the timer of the next check for late words, for which there must be a standby. */
export function startLate({ settings: { standby } }: ControllerState): readonly ControllerEffect[] {
  if (!standby) return [];
  return [{ type: 'startTimer', timer: 'late', delayMs: checkIntervalMs(standby.takeOverMs) }];
}

/** Keeps a successor open for another while; undefined when it has waited long enough for a pause. */
export function onRollOverTime(state: ControllerState, successor: Attempt): ControllerStep | undefined {
  if (state.successorMs >= PAUSE_WAIT_MS) return undefined;
  return {
    state: { ...state, successorMs: state.successorMs + KEEP_ALIVE_MS },
    effects: [
      { type: 'pad', attempt: successor.id, seconds: SUCCESSOR_PAD_SECONDS },
      startRollOver('successor', state),
    ],
  };
}

/**
 * Checks the source: one that gave nothing since the last check is idle.
 *
 * @param sentFrame undefined while audio waits, or no connection takes any
 */
export function onIdle(state: ControllerState, sentFrame: number | undefined): ControllerStep {
  const isIdle = sentFrame !== undefined && sentFrame === state.idle.frame;
  const next = { ...state, idle: { frame: sentFrame, isIdle } };
  if (!isIdle || !state.current) return { state: next, effects: [startIdle] };
  const { id: attempt } = state.current;
  const seconds = state.idle.isIdle ? NEXT_PAD_SECONDS : FIRST_PAD_SECONDS;
  const effect: ControllerEffect =
    state.settings.idle === 'close' ? { type: 'drain', attempt } : { type: 'pad', attempt, seconds };
  return { state: next, effects: [startIdle, effect] };
}
