import { type ChangeDesc, type RangeSet, RangeValue, type Text } from '@codemirror/state';

/** The speaker of a line, at its start. */
export class LineSpeaker extends RangeValue {
  // Text that is typed at the start of the line stands after it.
  override readonly startSide = -1;
  override readonly endSide = -1;
  readonly speaker: number;

  constructor(speaker: number) {
    super();
    this.speaker = speaker;
  }

  override eq(other: RangeValue): boolean {
    return other instanceof LineSpeaker && other.speaker === this.speaker;
  }
}

/** A speaker and a position of the line. */
export interface PlacedSpeaker {
  readonly pos: number;
  readonly speaker: number;
}

/** Lines that were changed: numbers from 1, both inclusive, before and after. */
export interface ChangedLines {
  readonly before: readonly [first: number, last: number];
  readonly after: readonly [first: number, last: number];
}

/** Returns the speaker of the line that begins at a position. */
export function speakerAt(speakers: RangeSet<LineSpeaker>, lineStart: number): number {
  const cursor = speakers.iter(lineStart);
  return cursor.value && cursor.from === lineStart ? cursor.value.speaker : 0;
}

/** Returns the lines that a change concerns, from first to last. */
export function changedLines(changes: ChangeDesc, before: Text, after: Text): ChangedLines[] {
  const found: ChangedLines[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const next: ChangedLines = {
      before: [before.lineAt(fromA).number, before.lineAt(toA).number],
      after: [after.lineAt(fromB).number, after.lineAt(toB).number],
    };
    const last = found.at(-1);
    if (last && last.before[1] >= next.before[0]) {
      found[found.length - 1] = {
        before: [last.before[0], next.before[1]],
        after: [last.after[0], next.after[1]],
      };
    } else found.push(next);
  });
  return found;
}

/**
 * Returns the speakers of the lines after a change. New lines have the speaker of the line that was split; a joined line has
 * that of the first line with text.
 */
export function mapSpeakers(
  speakers: RangeSet<LineSpeaker>,
  changes: ChangeDesc,
  { before, after }: { readonly before: Text; readonly after: Text },
): RangeSet<LineSpeaker> {
  const put: PlacedSpeaker[] = [];
  const gone = new Set<number>();
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const firstBefore = before.lineAt(fromA);
    const lastBefore = before.lineAt(toA);
    const first = after.lineAt(fromB).number;
    const last = after.lineAt(toB);
    for (let line = firstBefore.number; line <= lastBefore.number; line++) gone.add(before.line(line).from);
    const speaker = speakerAt(speakers, firstBefore.from);
    const lastSpeaker = speakerAt(speakers, lastBefore.from);
    const isFirstEmptied = fromA === firstBefore.from && fromB === toB && toA < lastBefore.to;
    for (let line = first; line < last.number; line++) put.push({ pos: after.line(line).from, speaker });
    const isOfLast = first < last.number || isFirstEmptied;
    put.push({ pos: last.from, speaker: isOfLast ? lastSpeaker : speaker });
  });
  if (gone.size === 0) return speakers;
  const filterFrom = Math.min(...gone);
  const filterTo = Math.max(...gone);
  const rest = speakers.update({ filter: from => !gone.has(from), filterFrom, filterTo }).map(changes);
  return putSpeakers(rest, put, after);
}

/** Returns the speakers with those of some lines set. The last one counts if a line has several. */
export function putSpeakers(
  speakers: RangeSet<LineSpeaker>,
  put: readonly PlacedSpeaker[],
  doc: Text,
): RangeSet<LineSpeaker> {
  if (put.length === 0) return speakers;
  const lines = new Map(put.map(({ pos, speaker }) => [doc.lineAt(Math.min(pos, doc.length)).from, speaker]));
  const sorted = [...lines].sort(([one], [other]) => one - other);
  return speakers.update({
    add: sorted.map(([start, speaker]) => new LineSpeaker(speaker).range(start)),
    filter: from => !lines.has(from),
    filterFrom: sorted[0]?.[0],
    filterTo: sorted.at(-1)?.[0],
  });
}
