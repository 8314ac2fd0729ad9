import { dequal } from 'dequal/lite';
import type { Coverage, CoverageSpan } from '../model/coverage.ts';
import { channelOf, type PerChannel, withChannel } from '../model/events.ts';
import { joinedSpan } from './applyRules.ts';
import { coverEvent, coveredSpan, coverSilence, type SettledEvent } from './coverEvent.ts';

/** A persistent list of spans: the last one, and those before, which all later versions share. */
interface SpanList {
  readonly span: CoverageSpan;
  readonly before?: SpanList;
  /** True when there is no unknown audio before its end. */
  readonly isSettled: boolean;
}

/** The coverage of one channel. */
interface Known {
  readonly last?: SpanList;
  /** Start of the latest final; all audio from the first span up to it has results. */
  readonly finalTs: number;
}

const NOTHING: Known = { finalTs: Number.NEGATIVE_INFINITY };

/** Immutable coverage by channel, optimised for additions at its end. */
export type GrowingCoverage = PerChannel<Known>;

/** Adds an event, in time O(1) when it comes in order. Returns the same object when nothing changes. */
export function growCoverage(coverage: GrowingCoverage, event: SettledEvent): GrowingCoverage {
  const channel = channelOf(event);
  return withChannel(coverage, channel, grow(coverage[channel] ?? NOTHING, event));
}

function grow(known: Known, event: SettledEvent): Known {
  const { ts, endTs } = coveredSpan(event);
  const finalTs = event.type === 'final' ? Math.max(known.finalTs, ts) : known.finalTs;
  const later: CoverageSpan[] = [];
  const tail: CoverageSpan[] = [];
  let kept = known.last;
  while (kept && (kept.span.endTs >= ts || (event.type === 'final' && !kept.isSettled))) {
    (kept.span.ts > endTs ? later : tail).push(kept.span);
    kept = kept.before;
  }
  tail.reverse();
  const covered = coverSilence(coverEvent(tail, event), {
    ts: kept?.span.endTs,
    endTs: Math.min(finalTs, later.at(-1)?.ts ?? finalTs),
    channel: event.channel,
  });
  if (dequal(tail, covered)) return finalTs === known.finalTs ? known : { ...known, finalTs };
  return { last: [...covered, ...later.reverse()].reduce(append, kept), finalTs };
}

function append(before: SpanList | undefined, span: CoverageSpan): SpanList {
  if (!before) return { span, isSettled: true };
  const whole = joinedSpan(before.span, span);
  if (whole) return { ...before, span: whole };
  return { span, before, isSettled: before.isSettled && before.span.endTs === span.ts };
}

/** Returns all spans, by start, then by channel. */
export function coverageOf(coverage: GrowingCoverage): Coverage {
  const spans: CoverageSpan[] = [];
  for (const known of coverage) {
    for (let list = known?.last; list; list = list.before) spans.push(list.span);
  }
  return spans.sort((left, right) => left.ts - right.ts || channelOf(left) - channelOf(right));
}

/** Creates a growing coverage from a plain one. */
export function growingFrom(coverage: Coverage): GrowingCoverage {
  return coverage.reduce<GrowingCoverage>((all, span) => {
    const channel = channelOf(span);
    const { last, finalTs } = all[channel] ?? NOTHING;
    const isOfFinal = span.provenance === 'live';
    return withChannel(all, channel, { last: append(last, span), finalTs: isOfFinal ? span.ts : finalTs });
  }, []);
}
