import { isDeepStrictEqual } from 'node:util';
import type { FinalEvent } from './events.ts';
import { type Monologue, spanOf, type TextElement, type TranscriptElement } from './model.ts';
import { channelOf, type PerChannel, withChannel } from './perChannel.ts';
import { joinPieces, wordPieces } from './wordPieces.ts';

/** A final, and how it stands in a transcript. */
export interface Placing {
  readonly final: FinalEvent;
  /** Its place in the order of time, in seconds. */
  readonly ts: number;
  /** The final's own unless times had to be clamped, or a repair stands within it. */
  readonly elements: readonly TranscriptElement[];
  readonly speakerInfo?: Monologue['speakerInfo'];
}

export interface Placed extends Placing {
  /** Where the timed words of this and all before it end, in seconds. */
  readonly reach: PerChannel<number>;
  readonly before?: Placed;
}

/** Finals of one speaker in a row, and the turns before. Turns that have ended are shared by all later transcripts. */
export interface Turn {
  readonly speaker: number;
  readonly last: Placed;
  readonly before?: Turn;
  /** Put together when first asked for. */
  monologue?: Monologue;
}

/**
 * Turns with one final more: in time O(1) when it comes in order. The same object when an equal final is there.
 *
 * Finals stand in order of their starts, equal ones in order of arrival. The words of a newcomer that reaches into its
 * neighbours of the same channel are clamped to the time between them.
 *
 * @param isWithin whether it may stand within another final, whose words go on after it
 */
export function placeFinal(
  turn: Turn | undefined,
  placing: Placing,
  { isWithin = false } = {},
): Turn | undefined {
  const { final, ts } = placing;
  const channel = channelOf(final);
  const popped: Placing[] = [];
  let kept = turn;
  while (kept && (kept.last.ts > ts || (isWithin && channelOf(kept.last.final) !== channel))) {
    if (isDeepStrictEqual(kept.last.final, final)) return turn;
    popped.push(kept.last);
    kept = withoutLast(kept);
  }
  if (holds(kept, placing)) return turn;
  if (isWithin && kept) {
    popped.push(...cut(kept.last, ts).toReversed());
    kept = withoutLast(kept);
  }
  const others = popped.reverse().sort((left, right) => left.ts - right.ts);
  const earlier = others.filter(other => other.ts <= ts);
  const later = others.slice(earlier.length);
  const before = earlier.reduce(append, kept);
  const ceiling = startOf(later.filter(other => channelOf(other.final) === channel));
  const elements = clampTimes(placing.elements, reachOf(before, channel), ceiling);
  return later.reduce(append, append(before, { ...placing, elements }));
}

/** Where the timed words of a channel end, in seconds. */
export function reachOf(turn: Turn | undefined, channel: number): number {
  return turn?.last.reach[channel] ?? 0;
}

export function append(turn: Turn | undefined, placing: Placing): Turn {
  const { final, ts, elements, speakerInfo } = placing;
  const { speaker = 0 } = final;
  const channel = channelOf(final);
  const end = Math.max(reachOf(turn, channel), spanOf(elements)?.endTs ?? 0);
  const reach = withChannel(turn?.last.reach ?? [], channel, end);
  const placed = { final, ts, elements, speakerInfo, reach };
  if (turn?.speaker !== speaker) return { speaker, last: placed, before: turn };
  return { speaker, last: { ...placed, before: turn.last }, before: turn.before };
}

/** What is placed, in two at a time; in one where no word starts after that. */
function cut(placed: Placed, ts: number): readonly Placing[] {
  const pieces = wordPieces(placed.elements);
  const at = pieces.findIndex(piece => piece.ts !== undefined && piece.ts > ts);
  if (at < 0) return [placed];
  const rest = {
    ...placed,
    ts: pieces[at]!.ts!,
    elements: joinPieces(pieces.slice(at)),
  };
  return at === 0 ? [rest] : [{ ...placed, elements: joinPieces(pieces.slice(0, at)) }, rest];
}

function withoutLast(turn: Turn): Turn | undefined {
  const last = turn.last.before;
  return last ? { speaker: turn.speaker, last, before: turn.before } : turn.before;
}

/** Whether an equal final stands among the last ones, those that start at the same time. */
function holds(turn: Turn | undefined, { final, ts }: Placing): boolean {
  for (let at = turn; at; at = at.before) {
    for (let placed: Placed | undefined = at.last; placed; placed = placed.before) {
      if (placed.ts < ts) return false;
      if (isDeepStrictEqual(placed.final, final)) return true;
    }
  }
  return false;
}

/** Where the first timed word of finals starts. */
function startOf(placings: readonly Placing[]): number {
  const first = placings.find(({ elements }) => spanOf(elements));
  return first ? spanOf(first.elements)!.ts : Number.POSITIVE_INFINITY;
}

/** Times into the span from floor to ceiling, starts in order; the same array when they are so already. */
function clampTimes(
  elements: readonly TranscriptElement[],
  floor: number,
  ceiling: number,
): readonly TranscriptElement[] {
  let from = floor;
  let changed = false;
  const clamped = elements.map(element => {
    if (element.type !== 'text' || element.ts === undefined) return element;
    const ts = Math.min(Math.max(element.ts, from), ceiling);
    from = ts;
    const endTs = element.endTs === undefined ? undefined : Math.min(Math.max(element.endTs, ts), ceiling);
    if (ts === element.ts && endTs === element.endTs) return element;
    changed = true;
    return { ...element, ts, ...(endTs !== undefined && { endTs }) } satisfies TextElement;
  });
  return changed ? clamped : elements;
}
