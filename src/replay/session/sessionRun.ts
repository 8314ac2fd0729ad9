import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** Something, and when it came: milliseconds since the run began, on the clock of the run. */
export interface Timed<T> {
  readonly atMs: number;
  readonly value: T;
}

/** What came of streaming some audio once: all that is measured is measured of this. */
export interface SessionRun {
  readonly events: readonly Timed<LiveEvent>[];
  readonly statuses: readonly Timed<StreamStatus>[];
  /** The events merged. */
  readonly transcript: Transcript;
  /** When the source had given its audio up to a frame: one entry a block, in order. */
  readonly audio: readonly Timed<{ readonly endFrame: number }>[];
  /** Hz; 0 when no audio came. */
  readonly sampleRate: number;
  /** Of the audio. Default 1. */
  readonly channels?: number;
  /** Seconds of audio that the source gave, gaps included. */
  readonly seconds: number;
  /** Seconds of the first sample: `start_ts`. */
  readonly startTs: number;
  /** How fast the audio came, in seconds a second; `max`: as fast as it was taken, so that delays mean nothing. */
  readonly speed: number | 'max';
  /** From the first block to the end, in milliseconds. */
  readonly durationMs: number;
  /** Why it ended before its time. */
  readonly failure?: unknown;
}
