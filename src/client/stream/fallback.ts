import type { PcmFormat } from '../../audio/format/format.ts';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import type { Clock } from '../../base/clock.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { HoleEvent, LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import type { ReplayStore } from '../spool/replayStore.ts';
import type { SpoolNote } from '../spool/spool.ts';
import type { StreamStatus } from './status.ts';

/**
 * Seconds of audio beside a hole that help to recognise what is in it. Measured (bench recovery/margins, with a
 * recogniser that had a third of the words wrong; 334 words in 24 holes of real speech): without margins 133 words differ from a run without holes, with 1 s 105, with 2 s 87,
 * with 4 s 83.
 */
export const MARGIN_SECONDS = 2;

/** Audio that has no text. */
export interface Hole extends FrameRange {
  readonly event: HoleEvent;
}

/** What whoever repairs a transcript has to work with. */
export interface FallbackContext {
  /** Base addresses of services, the best first. */
  readonly addresses: readonly URL[];
  readonly token: () => Promise<string>;
  /** What the stream was asked for. `startTs` is the time of frame 0. */
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly format: PcmFormat;
  /** Holds the audio of every hole with {@link Fallback.marginSeconds} on both sides, as far as there is any. */
  readonly store: Pick<ReplayStore, 'read' | 'letGo'>;
  readonly clock: Clock;
  /** Tells of what was repaired. */
  readonly emit: (event: RepairEvent) => void;
  readonly status: (status: StreamStatus) => void;
  /** Writes down what a later process needs to know; nothing without a spool. */
  readonly note: (note: SpoolNote) => void;
  /** The file of the spool, for errors to name; absent without one. */
  readonly spoolPath?: string;
}

/** Repairs in progress. */
export interface Repairs {
  /** Everything that is told of the stream, what was repaired included, in order: neighbours of holes help to repair. */
  observe(event: LiveEvent): void;
  /** Called when all audio of the hole, margins included, is in the store. */
  repair(hole: Hole): void;
  /** Resolves when every hole so far is repaired; rejects when one cannot be. */
  done(): Promise<void>;
  /** Gives up at once. Idempotent. */
  close(): void;
}

/** A way to get the text of what could not be streamed. */
export interface Fallback {
  /** Audio on both sides of a hole that helps to recognise what is in it. */
  readonly marginSeconds: number;
  /** Whether nothing is streamed at all. */
  readonly asyncOnly: boolean;
  start(context: FallbackContext): Repairs;
}

/** The audio that is kept for a hole, and let go when it is repaired: with its margins, from frame 0 at the earliest. */
export function audioOfHole(
  { startFrame, endFrame }: FrameRange,
  { marginSeconds, sampleRate }: { readonly marginSeconds: number; readonly sampleRate: number },
): FrameRange {
  const margin = Math.round(marginSeconds * sampleRate);
  return { startFrame: Math.max(0, startFrame - margin), endFrame: endFrame + margin };
}
