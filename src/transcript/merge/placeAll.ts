import { dequal } from 'dequal/lite';
import { channelOf } from '../model/events.ts';
import { spanOf, type TextElement, type TranscriptElement } from '../model/model.ts';
import { joinPieces, wordPieces } from '../text/wordPieces.ts';
import { append, type Placing, reachOf, type Turn, withoutLast } from './turns.ts';

/** An entry of the list ordered by time. */
interface Entry extends Placing {
  readonly isNew?: boolean;
}

/**
 * Adds finals, or the words of a repair, all of one channel, to turns: in time O(1) when they come in order, else in one pass
 * over the later finals. Returns the same object when all are duplicates.
 *
 * Finals are ordered by start, equal ones by arrival. When a new one overlaps its neighbours of the same channel, its times are
 * clamped to the time between them.
 */
export function placeAll(turn: Turn | undefined, added: readonly Placing[]): Turn | undefined {
  const { kept, entries } = takeFrom(turn, added);
  const starts = new Set(entries.map(({ final }) => final.ts));
  let isSame = true;
  for (const placing of added) {
    if (starts.has(placing.final.ts) && contains(entries, placing)) continue;
    isSame = false;
    starts.add(placing.final.ts);
    if (placing.isRepair) cutAround(entries, placing);
    const parts = placing.isRepair ? [placing] : cutAtRepairs(entries, placing);
    for (const part of parts) insert(entries, { ...part, isNew: true });
  }
  return isSame ? turn : entries.reduce((grown, _, at) => append(grown, clamped(grown, entries, at)), kept);
}

/** Splits off the finals that the new ones may affect. */
function takeFrom(turn: Turn | undefined, added: readonly Placing[]) {
  const fromTs = added.reduce((least, { ts }) => Math.min(least, ts), Number.POSITIVE_INFINITY);
  const entries: Entry[] = [];
  let kept = turn;
  const take = (from: Turn) => {
    entries.push(from.last);
    kept = withoutLast(from);
  };
  while (kept && kept.last.ts >= fromTs) take(kept);
  const repair = added.find(({ isRepair }) => isRepair);
  if (repair) {
    while (kept && !isOneChannel(kept.last, repair)) take(kept);
    if (kept) take(kept);
  }
  return { kept, entries: entries.reverse().sort((left, right) => left.ts - right.ts) };
}

const isOneChannel = (left: Placing, right: Placing) => channelOf(left.final) === channelOf(right.final);

function contains(entries: readonly Entry[], { final }: Placing): boolean {
  return entries.some(other => other.final.ts === final.ts && dequal(other.final, final));
}

/** Inserts after all entries that start no later. */
function insert(entries: Entry[], placing: Entry): void {
  entries.splice(entries.findLastIndex(({ ts }) => ts <= placing.ts) + 1, 0, placing);
}

/** Splits the final at the time of a repair. */
function cutAround(entries: Entry[], repair: Placing): void {
  const at = entries.findLastIndex(entry => entry.ts <= repair.ts && isOneChannel(entry, repair));
  const entry = entries[at];
  if (!entry) return;
  const parts = cut(entry, repair.ts);
  entries.splice(at, 1, ...parts.filter(({ ts }) => ts <= repair.ts));
  for (const part of parts) {
    if (part.ts > repair.ts) insert(entries, part);
  }
}

/** Splits a final at the repairs that already lie within it. */
function cutAtRepairs(entries: readonly Entry[], placing: Placing): readonly Placing[] {
  const isWithin = (other: Entry) =>
    other.isRepair && other.ts > placing.ts && other.ts < placing.final.endTs && isOneChannel(other, placing);
  return entries
    .filter(isWithin)
    .reduce<readonly Placing[]>(
      (parts, { ts }) => [...parts.slice(0, -1), ...cut(parts.at(-1)!, ts)],
      [placing],
    );
}

/** Clamps the times of a new entry between those of its neighbours; existing entries do not change. */
function clamped(before: Turn | undefined, entries: readonly Entry[], at: number): Placing {
  const placing = entries[at]!;
  if (!placing.isNew) return placing;
  const isLater = (other: Entry) => !other.isNew && isOneChannel(other, placing) && spanOf(other.elements);
  let next = at + 1;
  while (next < entries.length && !isLater(entries[next]!)) next++;
  const ceiling = spanOf(entries[next]?.elements ?? [])?.ts ?? Number.POSITIVE_INFINITY;
  const floor = reachOf(before, channelOf(placing.final));
  return { ...placing, elements: clampTimes(placing.elements, floor, ceiling) };
}

/** Splits an entry at a time; returns it whole when no word starts after that time. */
function cut(placed: Entry, ts: number): readonly Entry[] {
  const pieces = wordPieces(placed.elements);
  const at = pieces.findIndex(piece => piece.ts !== undefined && piece.ts > ts);
  const restTs = pieces[at]?.ts;
  if (restTs === undefined) return [placed];
  const rest = { ...placed, ts: restTs, elements: joinPieces(pieces.slice(at)) };
  return at === 0 ? [rest] : [{ ...placed, elements: joinPieces(pieces.slice(0, at)) }, rest];
}

/** Clamps times to the span from floor to ceiling, with non-decreasing starts. Returns the same array when nothing changes. */
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
    return { ...element, ts, endTs } satisfies TextElement;
  });
  return changed ? clamped : elements;
}
