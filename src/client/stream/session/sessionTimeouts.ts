import { ConnectionLostError, StreamTimeoutError } from '../../serviceErrors.ts';
import {
  fail,
  type SessionState,
  type SessionStep,
  startTimer,
  step,
  type TimerName,
} from './sessionModel.ts';

/** Milliseconds of unread audio that count at most: between a client and a service there are megabytes, two minutes of 16 kHz. */
const MAX_UNREAD_MS = 120_000;

/** The same before a service is ready, when little has been sent: see `AHEAD_BYTES`. */
const MAX_UNREAD_AHEAD_MS = 5000;

/** Milliseconds for the sockets of this process to be read before a connection counts as lost. */
const PONG_GRACE_MS = 50;

/** Returns the step after a timer has run out. */
export function onTimeout(state: SessionState, timer: TimerName): SessionStep {
  const { timeouts } = state.settings;
  switch (timer) {
    case 'ping':
      return step(
        {
          ...state,
          pingedFrames: state.sentFrames,
          pingedSourceFrame: state.sourceFrame,
          hasReceived: false,
          isPongLate: false,
        },
        { type: 'ping' },
        { type: 'startTimer', timer: 'pong', delayMs: timeouts.pongMs + unreadMs(state) },
      );
    case 'pong':
      if (state.hasReceived) return step({ ...state, hasReceived: false }, startTimer(state, 'pong'));
      // After a pause of this process, the answer may wait in the socket.
      if (!state.isPongLate) {
        const delayMs = PONG_GRACE_MS;
        return step({ ...state, isPongLate: true }, { type: 'startTimer', timer: 'pong', delayMs });
      }
      return fail(
        state,
        new ConnectionLostError(
          'connection-lost',
          'The connection is lost: the service does not answer a ping.',
          {
            advice: 'Check the network and the service, then stream again from the end of the last final.',
            retry: true,
          },
        ),
      );
    case 'stall':
      // The service may still be busy with audio it has not read, or with less than a segment.
      if (readSeconds(state) <= state.settings.maxSegmentSeconds)
        return step(state, startTimer(state, 'stall'));
      return timedOut(state, timer, 'a final of its words');
    case 'connect':
      return timedOut(state, timer, 'an answer to the handshake');
    case 'ready':
      return timedOut(state, timer, '`connected`');
    case 'final':
      return timedOut(state, timer, 'the rest of the transcript');
  }
}

/** Returns the duration of the audio that no answer has confirmed as read; audio sent faster is read faster, too. */
function unreadMs({ sentFrames, readFrames, isReady, settings }: SessionState): number {
  const mostMs = isReady ? MAX_UNREAD_MS : MAX_UNREAD_AHEAD_MS;
  return Math.min(((sentFrames - readFrames) / settings.sampleRate) * 1000, mostMs);
}

/** Returns the seconds of audio that the service has read since the last words came. */
function readSeconds({ readFrames, tailFrames = readFrames, settings }: SessionState): number {
  return (readFrames - tailFrames) / settings.sampleRate;
}

function timedOut(
  state: SessionState,
  timer: Exclude<TimerName, 'ping' | 'pong'>,
  wanted: string,
): SessionStep {
  const seconds = state.settings.timeouts[`${timer}Ms`] / 1000;
  const message = `The service did not send ${wanted} within ${seconds} s.`;
  const advice = `Check the service, or raise the option '${timer}TimeoutMs'. Finals received so far are valid.`;
  return fail(state, new StreamTimeoutError('timeout', message, { advice, retry: true }));
}
