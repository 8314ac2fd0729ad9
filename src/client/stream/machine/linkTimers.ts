import { SEGMENT_DURATION_SECONDS } from '../../../protocol/limits.ts';
import { ConnectionLostError, StreamTimeoutError } from '../../serviceErrors.ts';
import type { StreamFailure } from '../liveOperator.ts';
import type { StreamStatus } from '../status.ts';
import type { Link, LinkTimer, StreamEffect, StreamState } from './model.ts';
import { status } from './steps.ts';

/**
 * Maximum of the unread audio that a pong may wait for, in milliseconds. The buffers between a client and a service hold
 * megabytes, which are two minutes of 16 kHz.
 */
const MAX_UNREAD_MS = 120_000;

/** Upper bound of the unread audio before a recogniser is ready, in milliseconds: see `AHEAD_BYTES`. */
const MAX_UNREAD_AHEAD_MS = 5000;

/** Milliseconds for this process to read its sockets before a connection counts as lost. */
const PONG_GRACE_MS = 50;

/** Reports a status of a link, if it is the current one. */
export function shown({ current }: StreamState, link: Pick<Link, 'id'>, one: StreamStatus): StreamEffect[] {
  return link.id === current?.id ? [status(one)] : [];
}

/** Starts or restarts a timer of a link. */
export function linkTimer({ id, timeouts }: Link, timer: LinkTimer): StreamEffect {
  const delayMs = timer === 'ping' ? timeouts.pingIntervalMs : timeouts[`${timer}TimeoutMs`];
  return { type: 'timer', link: id, timer, delayMs };
}

export function stopLinkTimer({ id }: Link, timer: LinkTimer): StreamEffect {
  return { type: 'timer', link: id, timer, delayMs: undefined };
}

/** A link after an event, and its effects. */
export interface LinkStep {
  readonly link: Link;
  readonly effects: readonly StreamEffect[];
}

/** The end of a wait: the link goes on, or has failed. */
export type Expired = LinkStep | StreamFailure;

/** Returns what follows when a timer of a link has run out. */
export function onExpired(link: Link, timer: LinkTimer, state: StreamState): Expired {
  const { id, timeouts } = link;
  const { sampleRate } = state.format;
  switch (timer) {
    case 'ping': {
      const { sentFrames: pingedFrames, sourceFrame: pingedSourceFrame } = link;
      const pinged = { ...link, pingedFrames, pingedSourceFrame, hasReceived: false, isPongLate: false };
      const delayMs = timeouts.pongTimeoutMs + unreadMs(link, sampleRate);
      return {
        link: pinged,
        effects: [
          { type: 'ping', link: id },
          { type: 'timer', link: id, timer: 'pong', delayMs },
        ],
      };
    }
    case 'pong':
      if (link.hasReceived)
        return { link: { ...link, hasReceived: false }, effects: [linkTimer(link, 'pong')] };
      // After a pause of this process, the answer may wait in the socket.
      if (!link.isPongLate) {
        const effect = { type: 'timer', link: id, timer: 'pong', delayMs: PONG_GRACE_MS } as const;
        return { link: { ...link, isPongLate: true }, effects: [effect] };
      }
      return { error: unanswered() };
    case 'stall': {
      // The service may still be busy with audio it has not read, or with less than a segment.
      const readSeconds = (link.readFrames - (link.tailFrames ?? link.readFrames)) / sampleRate;
      const { maxSegmentDurationSeconds = SEGMENT_DURATION_SECONDS.max } = link.service.query;
      if (readSeconds <= maxSegmentDurationSeconds) return { link, effects: [linkTimer(link, 'stall')] };
      return { error: timedOut(link, timer, 'a final of its words') };
    }
    case 'connect':
      return { error: timedOut(link, timer, 'an answer to the handshake') };
    case 'ready':
      return { error: timedOut(link, timer, '`connected`') };
    case 'final':
      return { error: timedOut(link, timer, 'the rest of the transcript') };
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

function timedOut(
  { timeouts }: Link,
  timer: Exclude<LinkTimer, 'ping' | 'pong'>,
  wanted: string,
): StreamTimeoutError {
  const seconds = timeouts[`${timer}TimeoutMs`] / 1000;
  const message = `The service did not send ${wanted} within ${seconds} s.`;
  const advice = `Check the service, or raise the option '${timer}TimeoutMs'. Finals received so far are valid.`;
  return new StreamTimeoutError('timeout', message, { advice, retry: true });
}
