import { SEGMENT_DURATION_SECONDS } from '../../../protocol/limits.ts';
import { ConnectionLostError, StreamTimeoutError } from '../../serviceErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import { checkIntervalMs } from '../recovery/lateness.ts';
import type { Place } from '../recovery/reconnect.ts';
import type { Link, LinkTimer, Step, StreamState } from './model.ts';
import { drain, pad } from './sending.ts';
import { setLinkTimer, setTimer, withoutSuccessor } from './steps.ts';

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

/**
 * Maximum of the unread audio that a pong may wait for, in milliseconds. The buffers between a client and a service hold
 * megabytes, which are two minutes of 16 kHz.
 */
const MAX_UNREAD_MS = 120_000;

/** Upper bound of the unread audio before a recogniser is ready, in milliseconds: see `AHEAD_BYTES`. */
const MAX_UNREAD_AHEAD_MS = 5000;

/** Milliseconds for this process to read its sockets before a connection counts as lost. */
const PONG_GRACE_MS = 50;

/** Starts the timer of the next idle check. */
export function startIdle(step: Step): void {
  setTimer('idle', IDLE_MS, step);
}

/**
 * Starts the timer that opens a successor, keeps it open, or makes it take over.
 *
 * @param ageMs milliseconds since the current link was opened
 */
export function startRollOver(
  wait: 'session' | 'successor' | 'retry',
  { settings, services }: StreamState,
  step: Step,
  ageMs = 0,
): void {
  const isReturning = services.place === 'standby';
  const wholeMs = settings.sessionSeconds * 1000;
  // A successor that has waited for most of a short session is not replaced at once.
  const sessionMs = Math.max(wholeMs / 2, wholeMs - ageMs);
  const delayMs = {
    session: isReturning ? Math.min(services.returnMs, sessionMs) : sessionMs,
    successor: KEEP_ALIVE_MS,
    retry: isReturning ? services.returnMs : SUCCESSOR_RETRY_MS,
  }[wait];
  setTimer('rollOver', delayMs, step);
}

/** Returns the service of a successor: the first one again, unless the session of the standby gets too old for that. */
export function successorPlace({ current, settings, services }: StreamState, nowMs: number): Place {
  const { place, returnMs } = services;
  if (place === 'first' || !current) return place;
  const restMs = settings.sessionSeconds * 1000 - (nowMs - current.openedMs);
  return restMs < returnMs ? 'standby' : 'first';
}

/** Starts the timer of the next check for late words, for which there must be a standby. */
export function startLate({ settings: { standby } }: StreamState, step: Step): void {
  if (standby) setTimer('late', checkIntervalMs(standby.takeOverMs), step);
}

/** Keeps a successor open for another while; undefined when it has waited long enough for a pause. */
export function onRollOverTime(state: StreamState, successor: Link, step: Step): StreamState | undefined {
  const { nowMs } = step.view;
  if (nowMs - (successor.connectedMs ?? nowMs) >= PAUSE_WAIT_MS) return undefined;
  startRollOver('successor', state, step);
  return pad(state, successor, SUCCESSOR_PAD_SECONDS, step);
}

/**
 * Checks the source: one that gave nothing since the last check is idle.
 *
 * @param sentFrame undefined while audio waits, or no connection takes any
 */
export function onIdle(state: StreamState, sentFrame: number | undefined, step: Step): StreamState {
  const { current, settings, idle } = state;
  const isIdle = sentFrame !== undefined && sentFrame === idle.frame;
  const next = { ...state, idle: { frame: sentFrame, isIdle } };
  startIdle(step);
  if (!isIdle || !current) return next;
  if (settings.idle === 'close') return drain(withoutSuccessor(next, step), current, step);
  return pad(next, current, idle.isIdle ? NEXT_PAD_SECONDS : FIRST_PAD_SECONDS, step);
}

/** Returns the link when one of its timers has run out, or its failure. */
export function onExpired(
  link: Link,
  timer: LinkTimer,
  { format: { sampleRate } }: StreamState,
  step: Step,
): Link | StreamFailure {
  const { id, timeouts } = link;
  const awaitPong = (delayMs: number) =>
    step.effects.push({ type: 'timer', link: id, timer: 'pong', delayMs });
  switch (timer) {
    case 'ping': {
      const { sentFrames: pingedFrames, sourceFrame: pingedSourceFrame } = link;
      step.effects.push({ type: 'ping', link: id });
      awaitPong(timeouts.pongTimeoutMs + unreadMs(link, sampleRate));
      return { ...link, pingedFrames, pingedSourceFrame, hasReceived: false, isPongLate: false };
    }
    case 'pong':
      if (!link.hasReceived && link.isPongLate) return { error: unanswered() };
      // After a pause of this process, the answer may wait in the socket.
      awaitPong(link.hasReceived ? timeouts.pongTimeoutMs : PONG_GRACE_MS);
      return { ...link, hasReceived: false, isPongLate: link.isPongLate || !link.hasReceived };
    case 'stall': {
      // The service may still be busy with audio it has not read, or with less than a segment.
      const readSeconds = (link.readFrames - (link.tailFrames ?? link.readFrames)) / sampleRate;
      const { maxSegmentDurationSeconds = SEGMENT_DURATION_SECONDS.max } = link.service.query;
      if (readSeconds > maxSegmentDurationSeconds) return { error: timedOut(link, timer) };
      setLinkTimer(link, 'stall', step);
      return link;
    }
    default:
      return { error: timedOut(link, timer) };
  }
}

/** Returns the duration of the audio that no pong has confirmed as read, in milliseconds. */
function unreadMs({ sentFrames, readFrames, isReady }: Link, sampleRate: number): number {
  const mostMs = isReady ? MAX_UNREAD_MS : MAX_UNREAD_AHEAD_MS;
  return Math.min(((sentFrames - readFrames) / sampleRate) * 1000, mostMs);
}

function unanswered(): ConnectionLostError {
  return new ConnectionLostError(
    'connection-lost',
    'The connection is lost: the service does not answer a ping.',
    {
      advice: 'Check the network and the service, then stream again from the end of the last final.',
      retry: true,
    },
  );
}

/** The messages of a service whose absence is an error. */
const AWAITED = {
  connect: 'an answer to the handshake',
  ready: '`connected`',
  stall: 'a final of its words',
  final: 'the rest of the transcript',
} as const;

function timedOut({ timeouts }: Link, timer: keyof typeof AWAITED): StreamTimeoutError {
  const seconds = timeouts[`${timer}TimeoutMs`] / 1000;
  const message = `The service did not send ${AWAITED[timer]} within ${seconds} s.`;
  const advice = `Check the service, or raise the option '${timer}TimeoutMs'. Finals received so far are valid.`;
  return new StreamTimeoutError('timeout', message, { advice, retry: true });
}
