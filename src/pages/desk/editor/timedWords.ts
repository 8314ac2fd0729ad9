import { type ChangeDesc, type Range, RangeSet, RangeValue, type Text } from '@codemirror/state';
import { type Joins, joinsOf, keyOf, NEAR, type TextRange, upToSpaces, wordsOf } from './wordText.ts';

/** A word with a known time, by its letters. While the text has other letters there, the word is stale and its time unused. */
export class TimedWord extends RangeValue {
  // Text that is typed next to a word does not become part of it.
  override readonly startSide = 1;
  override readonly endSide = -1;
  readonly ts: number;
  readonly endTs: number;
  readonly confidence: number | undefined;
  readonly key: string;
  /** Sides on which the word was joined to other letters when its time was found. */
  readonly joins: Joins;
  readonly isStale: boolean;

  /** @param times of the word; `joins` and `isStale` default to a word between spaces that is in the text */
  constructor(
    times: Pick<TimedWord, 'ts' | 'endTs' | 'key'> &
      Partial<Pick<TimedWord, 'confidence' | 'joins' | 'isStale'>>,
  ) {
    super();
    this.ts = times.ts;
    this.endTs = times.endTs;
    this.confidence = times.confidence;
    this.key = times.key;
    this.joins = times.joins ?? { left: false, right: false };
    this.isStale = times.isStale ?? false;
  }
}

/** A part of a document: start and end (exclusive). */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A word at a place of the document. */
export interface PlacedWord extends Place {
  readonly word: TimedWord;
}

/** Returns a place after a change, without text that was inserted at its edges. */
export function mapPlace<Some extends Place>(place: Some, changes: ChangeDesc): Some {
  return { ...place, from: changes.mapPos(place.from, 1), to: changes.mapPos(place.to, -1) };
}

/** Returns the words that a change may concern, in order: the words in its range, and those joined with it. */
export function touchedWords(words: RangeSet<TimedWord>, changes: ChangeDesc, before: Text): PlacedWord[] {
  const touched = new Map<TimedWord, PlacedWord>();
  changes.iterChangedRanges((fromA, toA) => {
    const start = Math.max(0, fromA - NEAR);
    const text = before.sliceString(start, Math.min(before.length, toA + NEAR));
    const [low, high] = upToSpaces(text, [fromA - start, toA - start]);
    words.between(start + low, start + high, (from, to, word) => void touched.set(word, { from, to, word }));
  });
  return [...touched.values()].sort(byPlace);
}

/** Returns the words of a document after a change, given those before. Deleted ones are left out. */
export function mapWords(
  words: RangeSet<TimedWord>,
  changes: ChangeDesc,
  { before, doc }: { readonly before: Text; readonly doc: Text },
): RangeSet<TimedWord> {
  const touched = touchedWords(words, changes, before);
  const gone = new Set(touched.map(({ word }) => word));
  const rest = words.update({
    filter: (_from, _to, word) => !gone.has(word),
    filterFrom: touched[0]?.from ?? 0,
    filterTo: touched.at(-1)?.to ?? 0,
  });
  const add = touched.flatMap(placed => placeAgain(placed, changes, doc));
  return rest.map(changes).update({ add: add.map(rangeOf) });
}

/** Returns a word at its place after a change; none when it is deleted. */
function placeAgain(placed: PlacedWord, changes: ChangeDesc, doc: Text): readonly PlacedWord[] {
  return mapPlaced([placed], changes).map(({ from, to, word }) => {
    const isResized = to - from !== placed.to - placed.from;
    const [range, ...others] = isResized ? wordsOf(doc.sliceString(from, to)) : [];
    if (!range || others.length > 0) return checked({ from, to, word }, doc);
    // Punctuation that moved into the range is not part of the word.
    return checked({ from: from + range[0], to: from + range[1], word }, doc);
  });
}

/** Returns the places of words after a change, without those that are deleted. */
export function mapPlaced(placed: readonly PlacedWord[], changes: ChangeDesc): PlacedWord[] {
  return placed.map(each => mapPlace(each, changes)).filter(({ from, to }) => from < to);
}

/** Returns the words after some were replaced by others at the same places. */
export function putWords(
  words: RangeSet<TimedWord>,
  put: readonly PlacedWord[],
  doc: Text,
): RangeSet<TimedWord> {
  const over = new Set<TimedWord>();
  for (const { from, to } of put) {
    words.between(from, to, (otherFrom, otherTo, word) => {
      if (otherFrom < to && otherTo > from) over.add(word);
    });
  }
  const add = put.filter(({ from, to }) => from >= 0 && to <= doc.length).map(placed => checked(placed, doc));
  return words.update({
    add: add.sort(byPlace).map(rangeOf),
    filter: (_from, _to, word) => !over.has(word),
  });
}

/** Returns a set of words. */
export function wordSet(placed: readonly PlacedWord[]): RangeSet<TimedWord> {
  return RangeSet.of(placed.map(rangeOf));
}

/** Returns whether the text at a place is the word whose time is known. */
export function isWordAt(doc: Text, { from, to, word }: PlacedWord): boolean {
  const start = Math.max(0, from - NEAR);
  const range: TextRange = [from - start, to - start];
  const text = doc.sliceString(start, Math.min(doc.length, to + NEAR));
  const slice = text.slice(...range);
  if (slice.includes('\n') || keyOf(slice) !== word.key) return false;
  const { left, right } = joinsOf(text, range);
  return (!left || word.joins.left) && (!right || word.joins.right);
}

/** Compares places by their starts, then by their ends. */
export const byPlace = (one: Place, other: Place) => one.from - other.from || one.to - other.to;
const rangeOf = ({ from, to, word }: PlacedWord): Range<TimedWord> => word.range(from, to);

/** Returns a word that is stale only if the text at its place differs. */
function checked({ from, to, word }: PlacedWord, doc: Text): PlacedWord {
  const isStale = !isWordAt(doc, { from, to, word });
  return { from, to, word: word.isStale === isStale ? word : new TimedWord({ ...word, isStale }) };
}
