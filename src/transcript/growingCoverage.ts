import { isDeepStrictEqual } from 'node:util';
import type { Coverage, CoverageSpan } from './coverage.ts';
import { coverEvent, coveredSpan, joinedSpan, type SettledEvent } from './coverEvent.ts';
import { channelOf, type PerChannel, withChannel } from './perChannel.ts';

/** The last span of a channel, and those before, which all later versions share. */
interface SpanList {
  readonly span: CoverageSpan;
  readonly before?: SpanList;
  /** Whether all is known up to its end. */
  readonly isSettled: boolean;
}

/** Coverage that grows at its end, by channel. */
export type GrowingCoverage = PerChannel<SpanList>;

/** Adds an event: in time O(1) when it comes in order. The same object when it says nothing new. */
export function growCoverage(coverage: GrowingCoverage, event: SettledEvent): GrowingCoverage {
  const channel = channelOf(event);
  return withChannel(coverage, channel, grow(coverage[channel], event));
}

function grow(list: SpanList | undefined, event: SettledEvent): SpanList | undefined {
  const { ts } = coveredSpan(event);
  const tail: CoverageSpan[] = [];
  let kept = list;
  while (kept && (kept.span.endTs >= ts || (event.type === 'final' && !kept.isSettled))) {
    tail.push(kept.span);
    kept = kept.before;
  }
  tail.reverse();
  const covered = coverEvent(tail, event, kept?.span.endTs ?? 0);
  return isDeepStrictEqual(tail, covered) ? list : covered.reduce(append, kept);
}

function append(before: SpanList | undefined, span: CoverageSpan): SpanList {
  if (!before) return { span, isSettled: span.ts === 0 };
  const whole = joinedSpan(before.span, span);
  if (whole) return { ...before, span: whole };
  return { span, before, isSettled: before.isSettled && before.span.endTs === span.ts };
}

/** All spans, in order of their starts, then of channels. */
export function coverageOf(coverage: GrowingCoverage): Coverage {
  const spans: CoverageSpan[] = [];
  for (const last of coverage) for (let list = last; list; list = list.before) spans.push(list.span);
  return spans.sort((left, right) => left.ts - right.ts || channelOf(left) - channelOf(right));
}

/** Coverage from elsewhere, to go on from. */
export function growingFrom(coverage: Coverage): GrowingCoverage {
  return coverage.reduce<GrowingCoverage>((lists, span) => {
    const channel = channelOf(span);
    return withChannel(lists, channel, append(lists[channel], span));
  }, []);
}
