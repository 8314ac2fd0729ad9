import { SEGMENT_DURATION_SECONDS } from '../../../protocol/limits.ts';
import { ConnectionLostError, StreamTimeoutError } from '../../serviceErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import { maxSilenceMs } from '../recovery/reconnect.ts';
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

/** Milliseconds between two checks for a deaf service. */
const DEAF_CHECK_MS = 1000;

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

/** Milliseconds for which a service that failed counts as away. The other one may be slow then, as it gets all streams. */
const LEFT_MS = 30_000;

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
  { settings }: StreamState,
  step: Step,
  ageMs = 0,
): void {
  const wholeMs = settings.sessionSeconds * 1000;
  // A successor that has waited for most of a short session is not replaced at once.
  const sessionMs = Math.max(wholeMs / 2, wholeMs - ageMs);
  const delayMs = { session: sessionMs, successor: KEEP_ALIVE_MS, retry: SUCCESSOR_RETRY_MS }[wait];
  setTimer('rollOver', delayMs, step);
}

/** Starts the timer of the next check for a deaf service, for which there must be a standby. */
export function startDeafChecks({ settings: { standby } }: StreamState, step: Step): void {
  if (standby) setTimer('deaf', DEAF_CHECK_MS, step);
}

/** Keeps a successor open for another while; undefined when it has waited long enough for a pause. */
export function onRollOverTime(state: StreamState, successor: Link, step: Step): StreamState | undefined {
  const { nowMs } = step.view;
  if (nowMs - (successor.phase.recognizer?.sinceMs ?? nowMs) >= PAUSE_WAIT_MS) return undefined;
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

/** The failure of a service that has not answered for so many milliseconds. */
interface Expiry extends StreamFailure {
  readonly waitedMs: number;
}

/** Returns the link when one of its timers has run out, or its failure. */
export function onExpired(link: Link, timer: LinkTimer, state: StreamState, step: Step): Link | Expiry {
  const { id, timeouts } = link;
  switch (timer) {
    case 'ping':
      return pinged(link, state, step);
    case 'pong': {
      const { ping } = link;
      if (!ping) return link;
      const { hasReceived, isLate } = ping;
      if (!hasReceived && isLate) {
        return { error: unanswered(), waitedMs: timeouts.pingIntervalMs + pongMs(link, state, step) };
      }
      // After a pause of this process, the answer may wait in the socket.
      const delayMs = hasReceived ? pongTimeoutMs(link, state, step) : PONG_GRACE_MS;
      step.effects.push({ type: 'timer', link: id, timer, delayMs });
      return { ...link, ping: { ...ping, hasReceived: false, isLate: isLate || !hasReceived } };
    }
    case 'stall': {
      // The service may still be busy with audio it has not read, or with less than a segment.
      const readSeconds = (link.readFrames - (link.tailFrames ?? link.readFrames)) / state.format.sampleRate;
      const { maxSegmentDurationSeconds = SEGMENT_DURATION_SECONDS.max } = link.service.query;
      if (readSeconds > maxSegmentDurationSeconds) return timedOut(link, timer);
      setLinkTimer(link, 'stall', step);
      return link;
    }
    default:
      return timedOut(link, timer);
  }
}

/** Sends a ping, and awaits its answer. */
export function pinged(link: Link, state: StreamState, step: Step): Link {
  const { id, sentFrames, sourceFrame } = link;
  const delayMs = pongMs(link, state, step);
  step.effects.push({ type: 'ping', link: id }, { type: 'timer', link: id, timer: 'pong', delayMs });
  const ping = { sentMs: step.view.nowMs, sentFrames, sourceFrame, hasReceived: false, isLate: false };
  return { ...link, ping };
}

/** Returns the time for the answer to a ping, in milliseconds. */
function pongMs(link: Link, state: StreamState, step: Step): number {
  const mostMs = maxSilenceMs(state.settings.resume) - link.timeouts.pingIntervalMs;
  return Math.min(pongTimeoutMs(link, state, step) + unreadMs(link, state.format.sampleRate), mostMs);
}

/** Returns the time beyond that for unread audio. It is not short while the other service, just left, cannot take over. */
function pongTimeoutMs({ timeouts }: Link, { services, settings }: StreamState, { view }: Step): number {
  const isAlone = view.nowMs - services.leftMs < LEFT_MS;
  return isAlone
    ? Math.max(timeouts.pongTimeoutMs, settings.timeouts.usual.pongTimeoutMs)
    : timeouts.pongTimeoutMs;
}

/** Returns the duration of the audio that no pong has confirmed as read, in milliseconds. */
function unreadMs({ sentFrames, readFrames, phase }: Link, sampleRate: number): number {
  const mostMs = phase.recognizer ? MAX_UNREAD_MS : MAX_UNREAD_AHEAD_MS;
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

function timedOut({ timeouts }: Link, timer: keyof typeof AWAITED): Expiry {
  const waitedMs = timeouts[`${timer}TimeoutMs`];
  const seconds = Math.round(waitedMs / 10) / 100;
  const message = `The service did not send ${AWAITED[timer]} within ${seconds} s.`;
  const first =
    timer === 'connect' ? " (before the first connection also 'resume.firstConnectionSeconds')" : '';
  const advice = `Check the service, or raise the option '${timer}TimeoutMs'${first}. Finals received so far are valid.`;
  return { error: new StreamTimeoutError('timeout', message, { advice, retry: true }), waitedMs };
}
