import type { FrameRange } from '../../audio/format/frameRange.ts';
import { reasonOf } from '../../base/errors.ts';
import { ServiceError } from '../serviceErrors.ts';

/** A fault that did not end the stream. */
export type StreamWarning =
  | {
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
  | {
      readonly type: 'warning';
      readonly code: 'dropped-audio';
      readonly message: string;
      /** Frames since the start of the source. */
      readonly startFrame: number;
      readonly frames: number;
    };

/** The status of a live stream, as read by logs, user interfaces and tests alike. */
export type StreamStatus =
  /** The address has no query. */
  | { readonly type: 'connecting'; readonly address: string }
  /** The service takes audio; a recogniser may still be missing. */
  | { readonly type: 'open' }
  | { readonly type: 'connected'; readonly id: string }
  /** At most once a second while audio comes: the next frame to be sent, and the frames that wait from there on. */
  | {
      readonly type: 'progress';
      readonly sentFrame: number;
      readonly bufferedFrames: number;
      /** Seconds by which the sent audio is behind the source. */
      readonly lagSeconds: number;
    }
  /** The connection is lost; the next attempt follows after a wait. Attempts count from 1. */
  | {
      readonly type: 'reconnecting';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: unknown;
    }
  /** The stream moves to the other service: after a failure with its error, and before that service is connected. */
  | { readonly type: 'switched'; readonly to: 'first' | 'standby'; readonly error?: unknown }
  /** Streaming has ended, because of the error if there is one: audio without text is left to the fallback. */
  | { readonly type: 'fallback'; readonly error?: unknown }
  /** A job was submitted for the audio of a hole. */
  | {
      readonly type: 'repairing';
      readonly startFrame: number;
      readonly endFrame: number;
      readonly jobId: string;
    }
  /** A job cannot be submitted or queried now, or there is no credit for it: the next attempt follows after a wait. */
  | {
      readonly type: 'repair-delayed';
      readonly startFrame: number;
      readonly endFrame: number;
      readonly delayMs: number;
      readonly error: unknown;
    }
  | {
      readonly type: 'repaired';
      readonly startFrame: number;
      readonly endFrame: number;
      readonly jobId: string;
    }
  | StreamWarning
  /** Every frame is sent and `EOS` follows, at the end of the source or, with `idle: 'close'`, at a pause. */
  | { readonly type: 'draining' }
  | { readonly type: 'closed'; readonly code: number; readonly reason: string }
  | { readonly type: 'failed'; readonly error: unknown };

/** Reported at the end of a source that gave no audio. */
export const NO_AUDIO_WARNING: StreamWarning = {
  type: 'warning',
  code: 'no-audio',
  message: 'The source ended without any audio.',
};

/** Reported when a service refuses another query. */
export function refusedWarning(error: unknown): StreamWarning {
  const reason = (error instanceof ServiceError && error.reason) || reasonOf(error);
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
