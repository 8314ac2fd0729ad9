import { type ChangeDesc, type Range, RangeSet, RangeValue, type Text } from '@codemirror/state';
import { type Joins, joinsOf, keyOf, NEAR, type TextRange, upToSpaces, wordsOf } from './wordText.ts';

/** A word whose time is known, by its letters: while the text has others there, it is stale and its time unused. */
export class TimedWord extends RangeValue {
  override readonly startSide: number;
  override readonly endSide: number;
  readonly ts: number;
  readonly endTs: number;
  readonly confidence: number | undefined;
  readonly key: string;
  /** Sides on which letters followed at once when the time was given. */
  readonly joins: Joins;
  readonly isStale: boolean;

  /** @param times of the word; `joins` and `isStale` default to a word between spaces that is in the text */
  constructor(
    times: Pick<TimedWord, 'ts' | 'endTs' | 'key'> &
      Partial<Pick<TimedWord, 'confidence' | 'joins' | 'isStale'>>,
    isEmpty = false,
  ) {
    super();
    // Text that is typed next to a word does not become part of it. An empty range needs equal sides to stay.
    this.startSide = isEmpty ? 0 : 1;
    this.endSide = isEmpty ? 0 : -1;
    this.ts = times.ts;
    this.endTs = times.endTs;
    this.confidence = times.confidence;
    this.key = times.key;
    this.joins = times.joins ?? { left: false, right: false };
    this.isStale = times.isStale ?? false;
  }
}

/** A word at a place of the document. */
export interface PlacedWord {
  readonly from: number;
  readonly to: number;
  readonly word: TimedWord;
}

/** Characters around a changed range in which the words are found to which its letters belong. */
const WINDOW = 200;
/** Most words of which those that are not at their place are looked for. */
const MAX_SEARCHED = 40;
/** A deletion of more words keeps none of them to be recognised when they are typed again. */
const MAX_GHOSTS = 8;

/** Returns the words that a change may concern: in its place, or joined with it. */
export function touchedWords(words: RangeSet<TimedWord>, changes: ChangeDesc, before: Text): PlacedWord[][] {
  const zones: PlacedWord[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  changes.iterChangedRanges((fromA, toA) => {
    const start = Math.max(0, fromA - NEAR);
    const text = before.sliceString(start, Math.min(before.length, toA + NEAR));
    const [low, high] = upToSpaces(text, [fromA - start, toA - start]);
    const zone = (start + low <= end ? zones.pop() : undefined) ?? [];
    const seen = new Set(zone.map(({ word }) => word));
    words.between(start + low, start + high, (from, to, word) => {
      if (!seen.has(word)) zone.push({ from, to, word });
    });
    zone.sort(byPlace);
    end = Math.max(start + high, zone.at(-1)?.to ?? 0);
    zones.push(zone);
  });
  return zones.filter(zone => zone.length > 0);
}

/** Returns the words of a document after a change, given those before. Searching finds those that are typed again. */
export function mapWords(
  words: RangeSet<TimedWord>,
  changes: ChangeDesc,
  { before, ...after }: { readonly before: Text; readonly doc: Text; readonly isSearching: boolean },
): RangeSet<TimedWord> {
  const zones = touchedWords(words, changes, before);
  const touched = new Set(zones.flat().map(({ word }) => word));
  const rest = words
    .update({
      filter: (_from, _to, word) => !touched.has(word),
      filterFrom: zones[0]?.[0]?.from ?? 0,
      filterTo: zones.at(-1)?.at(-1)?.to ?? 0,
    })
    .map(changes);
  const add = zones.flatMap(zone => placeAgain(zone, { ...after, rest, changes }));
  return rest.update({ add: add.map(rangeOf) });
}

/** Returns the words with others put at their places, instead of those there. */
export function putWords(
  words: RangeSet<TimedWord>,
  put: readonly PlacedWord[],
  doc: Text,
): RangeSet<TimedWord> {
  const first = put[0];
  if (!first) return words;
  const over = new Set<TimedWord>();
  for (const { from, to } of put) {
    words.between(from, to, (otherFrom, otherTo, word) => {
      const isOver = otherFrom < to && otherTo > from;
      if (isOver || (otherFrom === otherTo && word.isStale)) over.add(word);
    });
  }
  const add = put
    .filter(({ from, to }) => from >= 0 && to <= doc.length)
    .map(placed => checked(placed, doc))
    .sort(byPlace);
  return words.update({ add: add.map(rangeOf), filter: (_from, _to, word) => !over.has(word) });
}

/** Returns a set of words. */
export function wordSet(placed: readonly PlacedWord[]): RangeSet<TimedWord> {
  return RangeSet.of(placed.map(rangeOf));
}

/** Returns whether the text at a place is the word whose time is known. */
export function isWordAt(doc: Text, { from, to, word }: PlacedWord): boolean {
  if (from >= to) return false;
  const start = Math.max(0, from - NEAR);
  return isWordIn(doc.sliceString(start, Math.min(doc.length, to + NEAR)), [from - start, to - start], word);
}

const byPlace = (one: PlacedWord, other: PlacedWord) => one.from - other.from || one.to - other.to;
const rangeOf = ({ from, to, word }: PlacedWord): Range<TimedWord> => word.range(from, to);

function isWordIn(text: string, range: TextRange, word: TimedWord): boolean {
  const slice = text.slice(...range);
  if (slice === '' || slice.includes('\n') || keyOf(slice) !== word.key) return false;
  const { left, right } = joinsOf(text, range);
  return (!left || word.joins.left) && (!right || word.joins.right);
}

function placedAs({ from, to, word }: PlacedWord, isStale: boolean): PlacedWord {
  const isSame = word.isStale === isStale && (from === to) === (word.startSide === 0);
  return { from, to, word: isSame ? word : new TimedWord({ ...word, isStale }, from === to) };
}

const checked = (placed: PlacedWord, doc: Text) => placedAs(placed, !isWordAt(doc, placed));

interface Changed {
  /** The words that the change does not concern, after it. */
  readonly rest: RangeSet<TimedWord>;
  readonly changes: ChangeDesc;
  readonly doc: Text;
  readonly isSearching: boolean;
}

/** The text in which words are looked for, and its words. Ranges are relative to it. */
interface Nearby {
  readonly text: string;
  readonly tokens: readonly TextRange[];
  /** Words that stand here already end before, and begin after. */
  readonly limits: TextRange;
}

/** Returns the words of a zone after a change: found at their place, or as the word of the text that is there now. */
function placeAgain(zone: readonly PlacedWord[], { rest, changes, doc, isSearching }: Changed): PlacedWord[] {
  const places = zone.map(({ from, to, word }) => {
    const start = changes.mapPos(from, 1);
    const end = from === to ? start : Math.max(start, changes.mapPos(to, -1));
    return { from: start, to: end, length: to - from, word };
  });
  const [first = 0, last = 0] = [places[0]?.from, places.at(-1)?.to];
  const start = Math.max(0, first - WINDOW);
  const text = doc.sliceString(start, Math.min(doc.length, last + WINDOW));
  const tokens = !isSearching || zone.length > MAX_SEARCHED ? [] : wordsOf(text);
  let [end, limit] = limitsOf(rest, [start, start + text.length], first);
  const found: PlacedWord[] = [];
  for (const { word, length, ...place } of places) {
    const from = Math.max(place.from, end);
    const to = Math.max(place.to, from);
    const near: Nearby = { text, tokens, limits: [end - start, limit - start] };
    const isResized = to - from !== length;
    const range = matching(word, [from - start, to - start], { ...near, isResized });
    if (range) {
      end = start + range[1];
      cutStale(found, start + range[0]);
      found.push(placedAs({ from: start + range[0], to: end, word }, false));
    } else if (from < to || (zone.length <= MAX_GHOSTS && isNear(from - start, near))) {
      found.push(placedAs({ from, to, word }, true));
    }
  }
  return found;
}

/** Returns where the words before the first place end, and those after it begin. */
function limitsOf(rest: RangeSet<TimedWord>, [low, high]: TextRange, first: number): TextRange {
  let [end, limit] = [low, high];
  rest.between(low, high, (from, to, word) => {
    if (word.isStale) return;
    if (to <= first) end = Math.max(end, to);
    else limit = Math.min(limit, from);
  });
  return [end, limit];
}

function matching(
  word: TimedWord,
  range: TextRange,
  { text, tokens, limits, isResized }: Nearby & { readonly isResized: boolean },
): TextRange | undefined {
  const isHere = isWordIn(text, range, word);
  // Punctuation that has come into the range is no part of the word.
  if (isHere && !isResized) return range;
  const found = tokens.find(
    token =>
      token[1] >= range[0] &&
      token[0] <= range[1] &&
      token[0] >= limits[0] &&
      token[1] <= limits[1] &&
      isWordIn(text, token, word),
  );
  return found ?? (isHere ? range : undefined);
}

/** Returns whether at most one word that was typed anew stands before a deleted one: it may be typed again. */
function isNear(at: number, { tokens, limits }: Nearby): boolean {
  return tokens.filter(token => token[0] >= limits[0] && token[1] <= at).length <= 1;
}

/** Ends stale words where a word stands that was found. */
function cutStale(found: PlacedWord[], at: number): void {
  for (let index = found.length - 1; index >= 0; index--) {
    const placed = found[index];
    if (!placed || placed.to <= at) return;
    found[index] = placedAs({ from: Math.min(placed.from, at), to: at, word: placed.word }, true);
  }
}
