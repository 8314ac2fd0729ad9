import { isDeepStrictEqual } from 'node:util';
import { spanOf, type TextElement, type TranscriptElement } from '../model/model.ts';
import { channelOf } from '../model/perChannel.ts';
import { joinPieces, wordPieces } from '../text/wordPieces.ts';
import { append, type Placing, reachOf, type Turn, withoutLast } from './turns.ts';

/** An entry of the list ordered by time. */
interface InLine extends Placing {
  readonly isNew?: boolean;
}

/**
 * Adds finals, or the words of a repair, all of one channel, to turns: in time O(1) when they come in order, else in one pass
 * over the later finals. Returns the same object when all are duplicates.
 *
 * Finals are ordered by start, equal ones by arrival. When a new one overlaps its neighbours of the same channel, its times are
 * clamped to the time between them.
 */
export function placeAll(turn: Turn | undefined, newcomers: readonly Placing[]): Turn | undefined {
  const { kept, line } = takeFrom(turn, newcomers);
  const starts = new Set(line.map(({ final }) => final.ts));
  let isSame = true;
  for (const placing of newcomers) {
    if (starts.has(placing.final.ts) && holds(line, placing)) continue;
    isSame = false;
    starts.add(placing.final.ts);
    if (placing.isRepair) cutAround(line, placing);
    const parts = placing.isRepair ? [placing] : cutAtRepairs(line, placing);
    for (const part of parts) insert(line, { ...part, isNew: true });
  }
  return isSame ? turn : line.reduce((grown, _, at) => append(grown, inPlace(grown, line, at)), kept);
}

/** Splits off the finals that the new ones may affect. */
function takeFrom(turn: Turn | undefined, newcomers: readonly Placing[]) {
  const fromTs = newcomers.reduce((least, { ts }) => Math.min(least, ts), Number.POSITIVE_INFINITY);
  const line: InLine[] = [];
  let kept = turn;
  const take = () => {
    line.push(kept!.last);
    kept = withoutLast(kept!);
  };
  while (kept && kept.last.ts >= fromTs) take();
  const repair = newcomers.find(({ isRepair }) => isRepair);
  if (repair) {
    while (kept && !isOneChannel(kept.last, repair)) take();
    if (kept) take();
  }
  return { kept, line: line.reverse().sort((left, right) => left.ts - right.ts) };
}

const isOneChannel = (left: Placing, right: Placing) => channelOf(left.final) === channelOf(right.final);

function holds(line: readonly InLine[], { final }: Placing): boolean {
  return line.some(other => other.final.ts === final.ts && isDeepStrictEqual(other.final, final));
}

/** Inserts after all entries that start no later. */
function insert(line: InLine[], placing: InLine): void {
  line.splice(indexAfter(line, placing.ts), 0, placing);
}

function indexAfter(line: readonly InLine[], ts: number): number {
  let at = line.length;
  while (at > 0 && line[at - 1]!.ts > ts) at--;
  return at;
}

/** Splits the final at the time of a repair. */
function cutAround(line: InLine[], repair: Placing): void {
  let at = indexAfter(line, repair.ts) - 1;
  while (at >= 0 && !isOneChannel(line[at]!, repair)) at--;
  if (at < 0) return;
  const parts = cut(line[at]!, repair.ts);
  line.splice(at, 1, ...parts.filter(({ ts }) => ts <= repair.ts));
  for (const part of parts) if (part.ts > repair.ts) insert(line, part);
}

/** Splits a final at the repairs that already lie within it. */
function cutAtRepairs(line: readonly InLine[], placing: Placing): readonly Placing[] {
  const isWithin = (other: InLine) =>
    other.isRepair && other.ts > placing.ts && other.ts < placing.final.endTs && isOneChannel(other, placing);
  return line
    .filter(isWithin)
    .reduce<readonly Placing[]>(
      (parts, { ts }) => [...parts.slice(0, -1), ...cut(parts.at(-1)!, ts)],
      [placing],
    );
}

/** Clamps the times of a new entry between those of its neighbours; existing entries do not change. */
function inPlace(before: Turn | undefined, line: readonly InLine[], at: number): Placing {
  const placing = line[at]!;
  if (!placing.isNew) return placing;
  const isLater = (other: InLine) => !other.isNew && isOneChannel(other, placing) && spanOf(other.elements);
  let next = at + 1;
  while (next < line.length && !isLater(line[next]!)) next++;
  const ceiling = spanOf(line[next]?.elements ?? [])?.ts ?? Number.POSITIVE_INFINITY;
  const floor = reachOf(before, channelOf(placing.final));
  return { ...placing, elements: clampTimes(placing.elements, floor, ceiling) };
}

/** Splits an entry at a time; returns it whole when no word starts after that time. */
function cut(placed: InLine, ts: number): readonly InLine[] {
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
    return { ...element, ts, ...(endTs !== undefined && { endTs }) } satisfies TextElement;
  });
  return changed ? clamped : elements;
}
