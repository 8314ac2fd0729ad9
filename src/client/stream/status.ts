import type { FrameRange } from '../../audio/format/frameRange.ts';
import { reasonOf } from '../../base/errors.ts';
import { ServiceError } from '../serviceErrors.ts';

/** The client connects. The address has no query. */
export interface ConnectingStatus {
  readonly type: 'connecting';
  readonly address: string;
}

/** The service takes audio; a recogniser may still be missing. */
export interface OpenStatus {
  readonly type: 'open';
}

/** A recogniser is ready. */
export interface ConnectedStatus {
  readonly type: 'connected';
  readonly id: string;
}

/** Reported at most once a second while audio comes. */
export interface ProgressStatus {
  readonly type: 'progress';
  /** The next frame to be sent. */
  readonly sentFrame: number;
  /** Frames that wait from there on. */
  readonly bufferedFrames: number;
  /** Seconds by which the sent audio is behind the source. */
  readonly lagSeconds: number;
}

/** The connection is lost; the next attempt follows after a wait. */
export interface ReconnectingStatus {
  readonly type: 'reconnecting';
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: unknown;
}

/** The stream moves to the other service: after a failure with its error, and before that service is connected. */
export interface SwitchedStatus {
  readonly type: 'switched';
  readonly to: 'first' | 'standby';
  readonly error?: unknown;
}

/** Streaming has ended, because of the error if there is one: audio without text is left to the fallback. */
export interface FallbackStatus {
  readonly type: 'fallback';
  readonly error?: unknown;
}

/** A job was submitted for the audio of a hole, or has returned its text. */
export interface RepairStatus {
  readonly type: 'repairing' | 'repaired';
  readonly startFrame: number;
  readonly endFrame: number;
  readonly jobId: string;
}

/** A job cannot be submitted or queried now, or there is no credit for it: the next attempt follows after a wait. */
export interface RepairDelayedStatus {
  readonly type: 'repair-delayed';
  readonly startFrame: number;
  readonly endFrame: number;
  readonly delayMs: number;
  readonly error: unknown;
}

/** A fault that did not end the stream. */
export type StreamWarning = FaultWarning | DroppedAudioWarning;

export interface FaultWarning {
  readonly type: 'warning';
  readonly code:
    | 'malformed-message'
    | 'unknown-message'
    | 'binary-message'
    | 'repeated-connected'
    | 'corrected-final'
    | 'no-audio'
    | 'ignored-options'
    | 'query-refused'
    | 'not-repaired';
  readonly message: string;
}

export interface DroppedAudioWarning {
  readonly type: 'warning';
  readonly code: 'dropped-audio';
  readonly message: string;
  /** Frames since the start of the source. */
  readonly startFrame: number;
  readonly frames: number;
}

/** Every frame is sent and `EOS` follows, at the end of the source or, with `idle: 'close'`, at a pause. */
export interface DrainingStatus {
  readonly type: 'draining';
}

/** A connection was closed. */
export interface ClosedStatus {
  readonly type: 'closed';
  readonly code: number;
  readonly reason: string;
}

/** The stream has failed. */
export interface FailedStatus {
  readonly type: 'failed';
  readonly error: unknown;
}

/** The status of a live stream, as read by logs, user interfaces and tests alike. */
export type StreamStatus =
  | ConnectingStatus
  | OpenStatus
  | ConnectedStatus
  | ProgressStatus
  | ReconnectingStatus
  | SwitchedStatus
  | FallbackStatus
  | RepairStatus
  | RepairDelayedStatus
  | StreamWarning
  | DrainingStatus
  | ClosedStatus
  | FailedStatus;

/** Reported at the end of a source that gave no audio. */
export const NO_AUDIO_WARNING: StreamWarning = {
  type: 'warning',
  code: 'no-audio',
  message: 'The source ended without any audio.',
};

/** Reported when a service refuses another query. */
export function refusedWarning(error: unknown): StreamWarning {
  const reason = reasonOf((error instanceof ServiceError && error.reason) || error);
  const message = `The service has refused a new query: ${reason}. The one before stays in force.`;
  return { type: 'warning', code: 'query-refused', message };
}

/** Reported at the start of a stream with options that do not exist. */
export function ignoredOptionsWarning(names: readonly string[]): StreamWarning {
  return {
    type: 'warning',
    code: 'ignored-options',
    message: `Options without effect: ${names.join(', ')}.`,
  };
}

/** Returns the warning about audio that was dropped. */
export function droppedWarning({ startFrame, endFrame }: FrameRange, sampleRate: number): StreamWarning {
  const frames = endFrame - startFrame;
  const seconds = (frames / sampleRate).toFixed(1);
  const message = `${seconds} s of audio from frame ${startFrame} on were dropped because the buffer was full. Raise 'maxBufferedSeconds', or pass a gate.`;
  return { type: 'warning', code: 'dropped-audio', message, startFrame, frames };
}
