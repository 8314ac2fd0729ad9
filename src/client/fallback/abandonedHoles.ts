import {
  byStart,
  type FrameRange,
  isWithin,
  joinRanges,
  rangesWithout,
  type SourceTime,
  secondsAt,
  sharedRange,
  sharedRanges,
} from '../../audio/format/frameRange.ts';
import { countLeading } from '../../base/countLeading.ts';
import type { HoleEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { AbandonedSpool } from '../spool/spool.ts';
import { type Hole, type QuerySpan, splitByQuery } from '../stream/fallback.ts';
import type { EarlierJob } from './holeRepairer.ts';

/** The holes that a killed process has left. */
export interface AbandonedHoles {
  /** Holes of audio that it had accepted without any result. */
  readonly killed: readonly HoleEvent[];
  /** Holes whose audio is stored, in order; the range of a submitted job is a hole of its own. */
  readonly holes: readonly Hole[];
  /** Holes whose audio is gone, in order. Gaps of the source are not among them. */
  readonly beyondRepair: readonly Hole[];
  readonly earlierJobs: readonly EarlierJob[];
}

type Placed = FrameRange & { readonly event: Exclude<LiveEvent, { type: 'connected' | 'partial' }> };

/**
 * Returns the holes of the spool of a killed process.
 *
 * Finals and silence settle all audio before their end, except holes: words arrive in the order of speech. Audio after the last
 * final or silence that is not a known hole had been sent without a result. A hole continues over a gap of the source that is
 * not longer than the margins of two jobs.
 *
 * @example
 * const spool = readSpool('talk.spool');
 * console.log(abandonedHoles(spool).holes.length);
 * spool.close();
 */
export function abandonedHoles(
  left: Pick<AbandonedSpool, 'subject' | 'format' | 'notes' | 'audio'>,
): AbandonedHoles {
  const { subject, format, audio } = left;
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const placed = placedEvents(left, time);
  const repaired = placed.filter(({ event }) => event.type === 'repair');
  const known = placed.filter(isHole);
  const gaps = known.filter(({ event }) => event.cause === 'gap');
  const over = { gaps, maxFrames: 2 * subject.marginSeconds * format.sampleRate };
  const settling = placed.filter(({ event }) => event.type === 'final' || event.type === 'silence');
  const startFrame = settling.reduce((frame, { endFrame }) => Math.max(frame, endFrame), 0);
  const rest = { startFrame, endFrame: audio.at(-1)?.endFrame ?? 0 };
  const spans = queriesOf(left);
  const holeAt = (range: FrameRange, cause: HoleEvent['cause']): readonly Hole[] =>
    splitByQuery(range, spans).map(({ query, ...part }) => ({
      ...part,
      query,
      event: holeEvent(part, cause, time),
    }));
  const killed = bridged(rangesWithout([rest], [...known, ...repaired]), over).flatMap(range =>
    holeAt(range, 'killed'),
  );

  const causes = [...known.filter(({ event }) => event.cause !== 'gap'), ...killed].toSorted(byStart);
  const missing = rangesWithout(causes, [...repaired, ...gaps]);
  const open = sharedRanges(missing, audio);
  const earlierJobs = jobsWithin(left, bridged(open, over));
  const jobRanges = earlierJobs.map(({ hole }) => hole);
  const others = bridged(rangesWithout(open, jobRanges), { ...over, gaps: rangesWithout(gaps, jobRanges) });
  const holesAt = (ranges: readonly FrameRange[]) =>
    ranges.toSorted(byStart).flatMap(range => holeAt(range, causeOf(range, causes)));
  return {
    killed: killed.map(({ event }) => event),
    holes: holesAt([...others, ...jobRanges]),
    beyondRepair: holesAt(rangesWithout(missing, audio)),
    earlierJobs,
  };
}

interface Bridges {
  readonly gaps: readonly FrameRange[];
  /** Frames of a bridged gap at most. */
  readonly maxFrames: number;
}

/** Joins ranges, in order, between which there is only a short gap. */
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

function placedEvents({ notes }: Pick<AbandonedSpool, 'notes'>, time: SourceTime): readonly Placed[] {
  const frameAt = (seconds: number) => Math.round((seconds - (time.startTs ?? 0)) * time.sampleRate);
  return notes.flatMap(note => {
    if (note.type !== 'event') return [];
    const { event } = note;
    if (event.type === 'connected' || event.type === 'partial') return [];
    return [{ startFrame: frameAt(event.ts), endFrame: frameAt(event.endTs), event }];
  });
}

/** Returns the jobs for open ranges; of several for the same audio, the newest. */
function jobsWithin(
  { notes }: Pick<AbandonedSpool, 'notes'>,
  open: readonly FrameRange[],
): readonly EarlierJob[] {
  const jobs: EarlierJob[] = [];
  for (const note of notes.toReversed()) {
    if (note.type !== 'job') continue;
    const { type: _, ...job } = note;
    const { hole } = job;
    const isOpen = open.some(range => isWithin(hole, range));
    if (isOpen && !jobs.some(newer => sharedRange(newer.hole, hole))) jobs.push(job);
  }
  return jobs.toReversed();
}

function holeEvent(
  { startFrame, endFrame }: FrameRange,
  cause: HoleEvent['cause'],
  time: SourceTime,
): HoleEvent {
  return { type: 'hole', ts: secondsAt(startFrame, time), endTs: secondsAt(endFrame, time), cause };
}

function queriesOf({ subject, notes }: Pick<AbandonedSpool, 'subject' | 'notes'>): readonly QuerySpan[] {
  const changes = notes.flatMap(note => (note.type === 'query' ? [note] : []));
  return [{ startFrame: 0, query: subject.query }, ...changes];
}

/** Returns the cause of the first hole that shares frames with a range; the holes are in order, and none overlaps another. */
function causeOf(range: FrameRange, holes: readonly PlacedHole[]): HoleEvent['cause'] {
  const hole = holes[countLeading(holes, ({ endFrame }) => endFrame <= range.startFrame)];
  return hole && sharedRange(hole, range) ? hole.event.cause : 'killed';
}

type PlacedHole = FrameRange & { readonly event: HoleEvent };

function isHole(one: Placed): one is PlacedHole {
  return one.event.type === 'hole';
}
