import { type FrameRange, rangeWithout } from '../../audio/frameRange.ts';
import type { HoleEvent, LiveEvent } from '../../transcript/events.ts';
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
  readonly earlierJobs: readonly EarlierJob[];
}

type Placed = FrameRange & { readonly event: Exclude<LiveEvent, { type: 'connected' | 'partial' }> };

/**
 * Finals and silence settle all audio before their end, except holes: words come in the order in which they were said.
 * Whatever is behind the last of them, and no hole that is known, was on its way.
 */
export function leftHoles(left: Pick<LeftSpool, 'subject' | 'format' | 'notes' | 'audio'>): LeftHoles {
  const { subject, format, audio } = left;
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const placed = placedEvents(left, time);
  const repaired = placed.filter(({ event }) => event.type === 'repair');
  const gaps = placed.filter(({ event }) => event.type === 'hole' && event.cause === 'gap');
  const told = placed.filter(({ event }) => event.type === 'hole');
  const settling = placed.filter(({ event }) => event.type === 'final' || event.type === 'silence');
  const startFrame = settling.reduce((frame, { endFrame }) => Math.max(frame, endFrame), 0);
  const rest = { startFrame, endFrame: audio.at(-1)?.endFrame ?? 0 };
  const killed = rangeWithout(rest, [...told, ...repaired]).map(range => holeAt(range, 'killed', time));

  const causes = [...told.filter(one => !gaps.includes(one)), ...killed] as readonly Hole[];
  const open = causes
    .flatMap(hole => rangeWithout(hole, [...repaired, ...gaps]))
    .flatMap(range => audio.map(part => shared(range, part)))
    .filter(({ startFrame, endFrame }) => startFrame < endFrame);
  const ranges = joined(open);
  const earlierJobs = jobsWithin(left, ranges);
  const jobRanges = earlierJobs.map(({ hole }) => hole);
  const holes = [...ranges.flatMap(range => rangeWithout(range, jobRanges)), ...jobRanges]
    .toSorted((one, other) => one.startFrame - other.startFrame)
    .map(range => holeAt(range, causeOf(range, causes), time));
  return { killed: killed.map(({ event }) => event), holes, earlierJobs };
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

/** The last job of each range that is still open. */
function jobsWithin({ notes }: Pick<LeftSpool, 'notes'>, open: readonly FrameRange[]): readonly EarlierJob[] {
  const jobs = new Map<string, EarlierJob>();
  for (const note of notes) {
    if (note.type !== 'job') continue;
    const { hole, jobId, address } = note;
    if (open.some(range => isWithin(hole, range))) {
      jobs.set(`${hole.startFrame} ${hole.endFrame}`, { hole, jobId, address });
    }
  }
  return [...jobs.values()];
}

function holeAt(range: FrameRange, cause: HoleEvent['cause'], time: SourceTime): Hole {
  const { startFrame, endFrame } = range;
  const span = { ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time) };
  return { startFrame, endFrame, event: { type: 'hole', ...span, cause } };
}

function causeOf(range: FrameRange, holes: readonly Hole[]): HoleEvent['cause'] {
  const hole = holes.find(
    ({ startFrame, endFrame }) => startFrame < range.endFrame && range.startFrame < endFrame,
  );
  return hole?.event.cause ?? 'killed';
}

/** Ranges that touch are one. */
function joined(ranges: readonly FrameRange[]): readonly FrameRange[] {
  const result: FrameRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.startFrame - other.startFrame)) {
    const last = result.at(-1);
    if (!last || last.endFrame < range.startFrame) result.push(range);
    else result[result.length - 1] = { ...last, endFrame: Math.max(last.endFrame, range.endFrame) };
  }
  return result;
}

function shared(one: FrameRange, other: FrameRange): FrameRange {
  return {
    startFrame: Math.max(one.startFrame, other.startFrame),
    endFrame: Math.min(one.endFrame, other.endFrame),
  };
}

function isWithin(inner: FrameRange, outer: FrameRange): boolean {
  return inner.startFrame >= outer.startFrame && inner.endFrame <= outer.endFrame;
}
