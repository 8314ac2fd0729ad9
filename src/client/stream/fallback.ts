import type { PcmFormat } from '../../audio/format/format.ts';
import { byStart, type FrameRange, sharedRange } from '../../audio/format/frameRange.ts';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { HoleCause, HoleEvent, LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import { BadRequestError, OutOfCreditError, UnauthorizedError } from '../serviceErrors.ts';
import type { ReplayStore, SpoolNote } from '../spool/spool.ts';
import type { StreamStatus } from './status.ts';

/**
 * Seconds of audio beside a hole that help to recognise its words. Measured with a recogniser that had a third
 * of the words wrong (334 words in 24 holes of real speech): without margins 133 words differ from a run without
 * holes, with 1 s 105, with 2 s 87, with 4 s 83.
 */
export const MARGIN_SECONDS = 2;

/** A reason for which a stream leaves a hole. */
export type StreamHoleCause = Exclude<HoleCause, 'gap'>;

/** Audio that has no text. */
export interface Hole extends FrameRange {
  readonly event: HoleEvent;
  /** Query of its audio. */
  readonly query: StreamOptions;
}

/** The surroundings of a fallback: audio, services, and where to report. */
export interface FallbackContext {
  /** Base addresses of services, the best first. */
  readonly addresses: readonly URL[];
  readonly token: () => Promise<string>;
  /** First query of the stream. `startTs` is the time of frame 0, in seconds. */
  readonly query: StreamOptions;
  readonly format: PcmFormat;
  /** Store with the audio of every hole and {@link Fallback.marginSeconds} on both sides of it, as far as there is any. */
  readonly store: Pick<ReplayStore, 'read' | 'letGo'>;
  readonly clock: Clock;
  /** Emits the text of a hole. */
  readonly emit: (event: RepairEvent) => void;
  readonly status: (status: StreamStatus) => void;
  /** Writes down a note for a later process; without a spool it has no effect. */
  readonly note: (note: SpoolNote) => void;
  /** Path of the spool, for error messages; absent without one. */
  readonly spoolPath?: string;
}

/** Repairs in progress. */
export interface Repairs {
  /** Takes every event of the stream in order, including repairs: the words beside a hole help to repair it. */
  observe(event: LiveEvent): void;
  /** Repairs a hole; called when all of its audio, margins included, is in the store. */
  repair(hole: Hole): void;
  /** Resolves when every hole so far is repaired; rejects when one cannot be. */
  done(): Promise<void>;
  /** Ends the repairs at once. Idempotent. */
  close(): void;
}

/** A way to get the text of audio that could not be streamed. */
export interface Fallback {
  /** Seconds of audio on both sides of a hole that help to recognise its words. */
  readonly marginSeconds: number;
  /** True when nothing is streamed at all. */
  readonly asyncOnly: boolean;
  start(context: FallbackContext): Repairs;
}

/** A query from one frame of the source on. */
export interface QuerySpan {
  readonly startFrame: number;
  readonly query: Hole['query'];
}

/** Returns the parts of a range with their queries. Of several that begin together, the last of the list is in force. */
export function splitByQuery(
  range: FrameRange,
  spans: readonly QuerySpan[],
): readonly (FrameRange & QuerySpan)[] {
  // A query that was refused is noted after later ones.
  const ordered = spans.toSorted(byStart);
  return ordered.flatMap(({ startFrame, query }, at) => {
    const endFrame = ordered[at + 1]?.startFrame ?? Number.POSITIVE_INFINITY;
    const part = sharedRange(range, { startFrame, endFrame });
    return part ? [{ ...part, query }] : [];
  });
}

/** Returns the range of audio that is kept for a hole until it is repaired: with its margins, from frame 0 at the earliest. */
export function audioOfHole(
  { startFrame, endFrame }: FrameRange,
  { marginSeconds, sampleRate }: { readonly marginSeconds: number; readonly sampleRate: number },
): FrameRange {
  const margin = Math.round(marginSeconds * sampleRate);
  return { startFrame: Math.max(0, startFrame - margin), endFrame: endFrame + margin };
}

/** Returns the cause of the holes that an error leaves. */
export function holeCauseOf(error: unknown): StreamHoleCause {
  return error instanceof OutOfCreditError ? 'out-of-credit' : 'gave-up';
}

/** Returns whether jobs may repair the holes of a stream: not when a service would refuse them like the first connection. */
export function mayBeRepaired(error: unknown, wasConnected: boolean): boolean {
  const isRefused = error instanceof UnauthorizedError || error instanceof BadRequestError;
  return error instanceof RxscribeError && (wasConnected || !isRefused);
}
