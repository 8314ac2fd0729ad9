import type { TextElement, Transcript, TranscriptElement } from '../../transcript/model/model.ts';
import type { TimeAxis } from './human/timeAxis.ts';
import type { Span } from './speakers.ts';

/** Times of the wire in a second, which are integers here. */
const PER_SECOND = 100;

type TimedElement = TextElement & Span;

/**
 * Returns a transcript with the times of its words as the wire has them, in hundredths of a second: each word ends after its
 * start, and within the bounds. Words of one speaker that overlap, or have no duration, follow one another; only where there are
 * more words than hundredths, some have the same time. Words without times have none.
 *
 * @param bounds spans in order without overlap, each of a hundredth or more; the last may have no end
 */
export function withWireTimes({ monologues }: Transcript, bounds: TimeAxis): Transcript {
  const spoken = monologues.flatMap(({ speaker, elements }) =>
    elements.filter(isTimed).map(word => ({ speaker, word })),
  );
  const placed = new Map<TranscriptElement, Span>();
  for (const own of Map.groupBy(spoken, ({ speaker }) => speaker).values()) {
    const words = own.map(({ word }) => word);
    for (const [index, span] of spansOf(words, bounds).entries()) placed.set(words[index]!, span);
  }
  return {
    monologues: monologues.map(monologue => ({
      ...monologue,
      elements: monologue.elements.map(element => ({ ...element, ...placed.get(element) })),
    })),
  };
}

function isTimed(element: TranscriptElement): element is TimedElement {
  return element.type === 'text' && element.ts !== undefined && element.endTs !== undefined;
}

function spansOf(words: readonly Span[], bounds: TimeAxis): readonly Span[] {
  let reached = 0;
  const spans = words.map(({ ts, endTs }) => {
    const bound = boundAt((ts + endTs) / 2, bounds);
    const from = Math.max(bound.from, reached, Math.round(ts * PER_SECOND));
    const to = Math.max(from + 1, Math.round(endTs * PER_SECOND));
    reached = Math.min(to, bound.to);
    return { from, to, bound };
  });
  // Words that were moved beyond the end take time from the words before them.
  let next = Number.POSITIVE_INFINITY;
  for (const span of spans.toReversed()) {
    span.to = Math.min(span.to, span.bound.to, next);
    span.from = Math.max(span.bound.from, Math.min(span.from, span.to - 1));
    span.to = Math.max(span.to, span.from + 1);
    next = span.from;
  }
  return spans.map(({ from, to }) => ({ ts: from / PER_SECOND, endTs: to / PER_SECOND }));
}

/** Returns the bound that contains a time, else the next one, else the last. */
function boundAt(seconds: number, bounds: TimeAxis): { readonly from: number; readonly to: number } {
  const { ts, endTs } = bounds.find(bound => seconds <= bound.endTs) ?? bounds.at(-1)!;
  // 0.29 * 100 is a little less than 29.
  return { from: Math.ceil(ts * PER_SECOND - 1e-6), to: Math.floor(endTs * PER_SECOND + 1e-6) };
}
