import {
  byStart,
  type FrameRange,
  isWithin,
  joinRanges,
  rangesWithout,
  sharedRange,
  sharedRanges,
} from '../../audio/format/frameRange.ts';
import type { HoleEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { LeftSpool } from '../spool/spool.ts';
import type { Hole } from '../stream/fallback.ts';
import { type SourceTime, secondsAt } from '../stream/secondsAt.ts';
import type { EarlierJob } from './holeRepairer.ts';

/** What a process that was killed has left to do. */
export interface LeftHoles {
  /** Audio that it had taken and said nothing about. */
  readonly killed: readonly HoleEvent[];
  /** All that has no text and has audio, in order; what a job was submitted for stands alone. */
  readonly holes: readonly Hole[];
  /** All that has no text and no audio any more, in order. What the source did not give is not missing. */
  readonly beyondRepair: readonly Hole[];
  readonly earlierJobs: readonly EarlierJob[];
}

type Placed = FrameRange & { readonly event: Exclude<LiveEvent, { type: 'connected' | 'partial' }> };

/**
 * Finals and silence settle all audio before their end, except holes: words come in the order in which they were said.
 * Whatever is behind the last of them, and no hole that is known, was on its way. A hole goes on over a gap of the source
 * that is no longer than the margins of two jobs.
 */
export function leftHoles(left: Pick<LeftSpool, 'subject' | 'format' | 'notes' | 'audio'>): LeftHoles {
  const { subject, format, audio } = left;
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const placed = placedEvents(left, time);
  const repaired = placed.filter(({ event }) => event.type === 'repair');
  const told = placed.filter(isHole);
  const gaps = told.filter(({ event }) => event.cause === 'gap');
  const over = { gaps, maxFrames: 2 * subject.marginSeconds * format.sampleRate };
  const settling = placed.filter(({ event }) => event.type === 'final' || event.type === 'silence');
  const startFrame = settling.reduce((frame, { endFrame }) => Math.max(frame, endFrame), 0);
  const rest = { startFrame, endFrame: audio.at(-1)?.endFrame ?? 0 };
  const killed = bridged(rangesWithout([rest], [...told, ...repaired]), over).map(range =>
    holeAt(range, 'killed', time),
  );

  const causes = [...told.filter(({ event }) => event.cause !== 'gap'), ...killed].toSorted(byStart);
  const missing = rangesWithout(causes, [...repaired, ...gaps]);
  const open = sharedRanges(missing, audio);
  const earlierJobs = jobsWithin(left, bridged(open, over));
  const jobRanges = earlierJobs.map(({ hole }) => hole);
  const others = bridged(rangesWithout(open, jobRanges), { ...over, gaps: rangesWithout(gaps, jobRanges) });
  const holesAt = (ranges: readonly FrameRange[]) => {
    const causeOf = causesIn(causes);
    return ranges.toSorted(byStart).map(range => holeAt(range, causeOf(range), time));
  };
  return {
    killed: killed.map(({ event }) => event),
    holes: holesAt([...others, ...jobRanges]),
    beyondRepair: holesAt(rangesWithout(missing, audio)),
    earlierJobs,
  };
}

interface Bridges {
  readonly gaps: readonly FrameRange[];
  /** Longer gaps stay. */
  readonly maxFrames: number;
}

/** Ranges in order, those as one between which there is nothing but a short gap. */
function bridged(ranges: readonly FrameRange[], { gaps, maxFrames }: Bridges): readonly FrameRange[] {
  const between = ranges.slice(1).map((range, at) => ({
    startFrame: ranges[at]!.endFrame,
    endFrame: range.startFrame,
  }));
  const short = between.filter(({ startFrame, endFrame }) => endFrame - startFrame <= maxFrames);
  const given = new Map(sharedRanges(short, gaps).map(one => [one.startFrame, one.endFrame]));
  const bridges = short.filter(({ startFrame, endFrame }) => given.get(startFrame) === endFrame);
  return joinRanges([...ranges, ...bridges]);
}

function placedEvents({ notes }: Pick<LeftSpool, 'notes'>, time: SourceTime): readonly Placed[] {
  const frameAt = (seconds: number) => Math.round((seconds - (time.startTs ?? 0)) * time.sampleRate);
  return notes.flatMap(note => {
    if (note.type !== 'event') return [];
    const { event } = note;
    if (event.type === 'connected' || event.type === 'partial') return [];
    return [{ startFrame: frameAt(event.ts), endFrame: frameAt(event.endTs), event }];
  });
}

/** Jobs for what is still open, the newest of those that are for the same audio. */
function jobsWithin({ notes }: Pick<LeftSpool, 'notes'>, open: readonly FrameRange[]): readonly EarlierJob[] {
  const jobs: EarlierJob[] = [];
  for (const note of notes.toReversed()) {
    if (note.type !== 'job') continue;
    const { hole, jobId, address } = note;
    const isOpen = open.some(range => isWithin(hole, range));
    if (isOpen && !jobs.some(job => sharedRange(job.hole, hole))) jobs.push({ hole, jobId, address });
  }
  return jobs.toReversed();
}

function holeAt(range: FrameRange, cause: HoleEvent['cause'], time: SourceTime): Hole {
  const { startFrame, endFrame } = range;
  const span = { ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time) };
  return { startFrame, endFrame, event: { type: 'hole', ...span, cause } };
}

/** The cause of the first hole, of some in order, that a range is part of; ranges are asked for in order. */
function causesIn(holes: readonly Hole[]): (range: FrameRange) => HoleEvent['cause'] {
  let from = 0;
  return range => {
    while (from < holes.length && holes[from]!.endFrame <= range.startFrame) from++;
    for (let at = from; at < holes.length && holes[at]!.startFrame < range.endFrame; at++) {
      if (sharedRange(holes[at]!, range)) return holes[at]!.event.cause;
    }
    return 'killed';
  };
}

function isHole(one: Placed): one is Placed & Hole {
  return one.event.type === 'hole';
}
