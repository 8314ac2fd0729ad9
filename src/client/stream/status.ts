/** Something odd that did not end the stream. */
export type StreamWarning =
  | {
      readonly type: 'warning';
      readonly code:
        | 'malformed-message'
        | 'unknown-message'
        | 'binary-message'
        | 'repeated-connected'
        | 'mended-final'
        | 'no-audio'
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

/** Where a live stream stands: what logs, user interfaces and tests all read. */
export type StreamStatus =
  /** The address is without its query. */
  | { readonly type: 'connecting'; readonly address: string }
  /** The service takes audio; a recogniser may still be missing. */
  | { readonly type: 'open' }
  | { readonly type: 'connected'; readonly id: string }
  /** At most once a second while audio comes: where the next frame to be sent is, and how much waits from there on. */
  | {
      readonly type: 'progress';
      readonly sentFrame: number;
      readonly bufferedFrames: number;
      /** How far what is sent is behind the source. */
      readonly lagSeconds: number;
    }
  /** The connection is gone; after a wait another one is tried. Attempts count from 1. */
  | {
      readonly type: 'reconnecting';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: unknown;
    }
  /** Nothing is streamed any more, for this reason if there is one: the fallback is to get what has no text. */
  | { readonly type: 'fallback'; readonly error?: unknown }
  /** A job was submitted for the audio of a hole. */
  | {
      readonly type: 'repairing';
      readonly startFrame: number;
      readonly endFrame: number;
      readonly jobId: string;
    }
  /** A job cannot be submitted or looked at just now, or there is no credit for it: it is tried again after a wait. */
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
  /** All audio is sent; the last finals are on their way. */
  | { readonly type: 'draining' }
  | { readonly type: 'closed'; readonly code: number; readonly reason: string }
  | { readonly type: 'failed'; readonly error: unknown };
