import type { StreamStatus } from '../../client/stream/status.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import type { Transcript } from '../../transcript/model/model.ts';

/** A value and the time at which it arrived, in milliseconds since the run began, on the clock of the run. */
export interface Timed<T> {
  readonly atMs: number;
  readonly value: T;
}

/** The result of streaming some audio once, from which everything is measured. */
export interface SessionRun {
  readonly events: readonly Timed<LiveEvent>[];
  readonly statuses: readonly Timed<StreamStatus>[];
  /** The merged events. */
  readonly transcript: Transcript;
  /** Times at which the source had delivered its audio up to a frame: one entry per block, in order. */
  readonly audio: readonly Timed<{ readonly endFrame: number }>[];
  /** Sample rate in Hz; 0 without audio. */
  readonly sampleRate: number;
  /** Number of channels. Default 1. */
  readonly channels?: number;
  /** Seconds of audio from the source, gaps included. */
  readonly seconds: number;
  /** Time of the first sample in seconds (`start_ts`). */
  readonly startTs: number;
  /**
   * Speed in seconds of audio per second; `max` is as fast as the stream accepts it, which leaves no meaningful delays.
   */
  readonly speed: number | 'max';
  /** Milliseconds from the first block to the end. */
  readonly durationMs: number;
  /** The error that ended the run early. */
  readonly failure?: unknown;
}
