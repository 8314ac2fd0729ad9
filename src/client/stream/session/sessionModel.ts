import type { TranscriptEvent } from '../../../transcript/model/events.ts';
import type { StreamStatus, StreamWarning } from '../status.ts';
import type { StreamTimeouts } from '../streamTimeouts.ts';
import type { SocketClose } from './closeErrors.ts';
import type { TimeMap } from './timeMap.ts';

/** Constants of a session. */
export interface SessionSettings {
  /** Address for display, without query and token. */
  readonly address: string;
  readonly sampleRate: number;
  /** Frame of the source that is sent first. */
  readonly originFrame: number;
  /** Seconds that the service adds to every time, as requested. */
  readonly startTs: number;
  /** Seconds of audio after which words must be final. */
  readonly maxSegmentSeconds: number;
  readonly timeouts: StreamTimeouts;
}

/**
 * `connect`: to an open socket; `ready`: to `connected`; `ping` and `pong`: in turn; `stall`: from words that may change
 * to the next message; `final`: after the end of audio.
 */
export type TimerName = 'connect' | 'ready' | 'ping' | 'pong' | 'stall' | 'final';

/** The state of one connection, from its first step to its end. */
export interface SessionState {
  /** `open`: audio is taken; `streaming`: `connected` came; `draining`: `EOS` was sent. */
  readonly phase: 'connecting' | 'open' | 'streaming' | 'draining' | 'closed';
  readonly settings: SessionSettings;
  /** Id of the `connected` message. */
  readonly id?: string;
  /** True when a recogniser is ready: `connected` or words came. */
  readonly isReady: boolean;
  readonly sentFrames: number;
  /** Frame of the source after the last one that was sent. */
  readonly sourceFrame: number;
  readonly timeMap: TimeMap;
  /** Frames sent before the last ping, and the position of the source at that time. */
  readonly pingedFrames: number;
  readonly pingedSourceFrame: number;
  /** True when the time for the answer to the last ping has run out. */
  readonly isPongLate: boolean;
  /** Frames sent before the last answered ping, which the service has read. */
  readonly readFrames: number;
  /** True when a message came since the last ping. */
  readonly hasReceived: boolean;
  /** Frames that were sent when the last words came that are not final; undefined when all words are final. */
  readonly tailFrames?: number;
}

export type SessionEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'sent'; readonly startFrame: number; readonly frames: number }
  /** Silence that the source does not have. */
  | { readonly type: 'padded'; readonly frames: number }
  /** The source has ended, and all of its audio is sent. */
  | { readonly type: 'flushed' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'binary' }
  | { readonly type: 'pong' }
  | { readonly type: 'timeout'; readonly timer: TimerName }
  | { readonly type: 'closed'; readonly close: SocketClose }
  /** Something failed on this side, such as the token. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** The connection is no longer wanted. */
  | { readonly type: 'stopped' };

export type SessionEffect =
  | { readonly type: 'connect' }
  | { readonly type: 'sendEnd' }
  | { readonly type: 'ping' }
  | { readonly type: 'startTimer'; readonly timer: TimerName; readonly delayMs: number }
  | { readonly type: 'stopTimer'; readonly timer: TimerName }
  /** To be passed on. After `ended`, which is the last one, socket and timers are closed. */
  | ConnectionEvent;

/** An event for the owner of a connection. */
export type ConnectionEvent =
  | { readonly type: 'transcript'; readonly event: TranscriptEvent }
  | { readonly type: 'status'; readonly status: StreamStatus }
  /** The service has read the audio of the source before a frame. */
  | { readonly type: 'read'; readonly frame: number }
  /** More audio may fit into the connection. */
  | { readonly type: 'writable' }
  /** The session is over: complete, or failed with an error. Comes once. */
  | { readonly type: 'ended'; readonly failure?: { readonly error: unknown } };

export interface SessionStep {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

/** Ends a session with an error. */
export function fail(state: SessionState, error: unknown): SessionStep {
  return step({ ...state, phase: 'closed' }, { type: 'ended', failure: { error } });
}

/** Starts or restarts a timer. */
export function startTimer({ settings: { timeouts } }: SessionState, timer: TimerName): SessionEffect {
  const delayMs = {
    connect: timeouts.connectMs,
    ready: timeouts.readyMs,
    ping: timeouts.pingIntervalMs,
    pong: timeouts.pongMs,
    stall: timeouts.stallMs,
    final: timeouts.finalMs,
  }[timer];
  return { type: 'startTimer', timer, delayMs };
}

export function status(status: StreamStatus): SessionEffect {
  return { type: 'status', status };
}

export function warning(
  code: Exclude<StreamWarning['code'], 'dropped-audio'>,
  message: string,
): SessionEffect {
  return status({ type: 'warning', code, message });
}

export function step(state: SessionState, ...effects: readonly SessionEffect[]): SessionStep {
  return { state, effects };
}
