import { type FrameRange, secondsAt } from '../../../audio/format/frameRange.ts';
import type { TranscriptEvent } from '../../../transcript/model/events.ts';

interface Gap extends FrameRange {
  /** Frames of this gap and all gaps before it. */
  readonly skippedFrames: number;
}

/** The gaps of a source, in order. The clock of the source counts them, the clock of the audio does not. */
export type SourceGaps = readonly Gap[];

/** Adds a gap after all others. */
export function withGap(gaps: SourceGaps, { startFrame, endFrame }: FrameRange): SourceGaps {
  const skippedFrames = (gaps.at(-1)?.skippedFrames ?? 0) + endFrame - startFrame;
  return [...gaps, { startFrame, endFrame, skippedFrames }];
}

/** Returns the frames of audio before a frame of the source. */
export function toAudio(gaps: SourceGaps, frame: number): number {
  // Most sources have none, and this is called several times for each block.
  if (gaps.length === 0) return frame;
  const gap = gaps.findLast(({ startFrame }) => startFrame < frame);
  return gap ? Math.max(frame, gap.endFrame) - gap.skippedFrames : frame;
}

/** Returns the frame of the source before which there are so many frames of audio: after a gap, where there is one. */
export function toSource(gaps: SourceGaps, audioFrame: number): number {
  if (gaps.length === 0) return audioFrame;
  const gap = gaps.findLast(({ endFrame, skippedFrames }) => endFrame - skippedFrames <= audioFrame);
  return audioFrame + (gap?.skippedFrames ?? 0);
}

/** Returns the frames of audio between two frames of the source. */
export function audioFrames(gaps: SourceGaps, fromFrame: number, toFrame: number): number {
  return Math.max(0, toAudio(gaps, toFrame) - toAudio(gaps, fromFrame));
}

/** A jump: from this sent frame on, the source is so many frames ahead. */
interface Jump {
  readonly sentFrame: number;
  readonly aheadFrames: number;
  /** Frames of silence before it that the source does not have: all of them map to the moment of the jump. */
  readonly padFrames?: number;
}

/**
 * The relation of the clock of the service, which counts received frames, to that of the source, which jumps ahead where audio
 * was left out. In order of time.
 */
export type TimeMap = readonly Jump[];

/** The map of two equal clocks. */
export const SAME_TIME: TimeMap = [];

/** Half of the unit of times of the service: a time this close to a jump belongs to the audio beside it. */
const TOLERANCE_SECONDS = 0.005;

/** Adds a jump after all others. */
export function withJump(map: TimeMap, sentFrame: number, skippedFrames: number): TimeMap {
  const aheadFrames = (map.at(-1)?.aheadFrames ?? 0) + skippedFrames;
  return [...map, { sentFrame, aheadFrames }];
}

/** Adds silence that the source does not have, after all others; silence without audio between is one. */
export function withPad(map: TimeMap, sentFrame: number, frames: number): TimeMap {
  const last = map.at(-1);
  const before = last?.padFrames !== undefined && last.sentFrame === sentFrame ? last : undefined;
  const pad = {
    sentFrame: sentFrame + frames,
    aheadFrames: (last?.aheadFrames ?? 0) - frames,
    padFrames: (before?.padFrames ?? 0) + frames,
  };
  return [...(before ? map.slice(0, -1) : map), pad];
}

/** The meaning of the times of a service. */
export interface ServiceTime {
  readonly map: TimeMap;
  readonly sampleRate: number;
  /** Seconds that the service adds to every time. */
  readonly startTs: number;
}

/** Returns an event of the service with the times of the source. */
export function toSourceTime<Event extends TranscriptEvent>(event: Event, time: ServiceTime): Event {
  if (event.type === 'connected' || time.map.length === 0) return event;
  return {
    ...event,
    ...mapSpan(event, time),
    elements: event.elements.map(element =>
      element.type === 'text' ? { ...element, ...mapSpan(element, time) } : element,
    ),
  };
}

interface Span {
  readonly ts?: number;
  readonly endTs?: number;
}

function mapSpan({ ts, endTs }: Span, time: ServiceTime): Span {
  const startPlace = (ts ?? 0) + TOLERANCE_SECONDS;
  return {
    ...(ts !== undefined && { ts: ahead(ts, startPlace, time) }),
    ...(endTs !== undefined && {
      endTs: ahead(endTs, Math.max(startPlace, endTs - TOLERANCE_SECONDS), time),
    }),
  };
}

/** Returns seconds, moved by the last jump that is not after the place. */
function ahead(seconds: number, placeSeconds: number, { map, sampleRate, startTs }: ServiceTime): number {
  const frame = (placeSeconds - startTs) * sampleRate;
  const pad = map.find(({ sentFrame, padFrames = 0 }) => sentFrame - padFrames <= frame && frame < sentFrame);
  if (pad) return secondsAt(pad.sentFrame + pad.aheadFrames, { sampleRate, startTs });
  const jump = map.findLast(({ sentFrame }) => sentFrame <= frame);
  return jump ? secondsAt(jump.aheadFrames, { sampleRate, startTs: seconds }) : seconds;
}
