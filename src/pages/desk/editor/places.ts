import type { EditorState } from '@codemirror/state';
import { UNCERTAIN_BELOW } from '../../../transcript/model/model.ts';
import { byPlace, type Place, type PlacedWord } from './timedWords.ts';
import { turnData } from './turnState.ts';
import { wordsOf } from './wordText.ts';

/** Returns the timed words of a line, or of another place, in order. */
export function timedWordsIn(state: EditorState, place: Place): PlacedWord[] {
  const found: PlacedWord[] = [];
  state.field(turnData).words.between(place.from, place.to, (from, to, word) => {
    if (!word.isStale) found.push({ from, to, word });
  });
  return found.sort(byPlace);
}

/** Returns the first timed word that ends at or after a position. */
function timedWordFrom(state: EditorState, pos: number): PlacedWord | undefined {
  const cursor = state.field(turnData).words.iter(pos);
  while (cursor.value?.isStale) cursor.next();
  return cursor.value ? { from: cursor.from, to: cursor.to, word: cursor.value } : undefined;
}

/** Returns the timed word at a position. */
export function timedWordAt(state: EditorState, pos: number): PlacedWord | undefined {
  const found = timedWordFrom(state, pos);
  return found && found.from <= pos ? found : undefined;
}

/** Returns the last timed word that begins at or before a position, on the same line or an earlier one. */
export function timedWordBefore(state: EditorState, pos: number): PlacedWord | undefined {
  for (let line = state.doc.lineAt(pos); ; line = state.doc.line(line.number - 1)) {
    const last = timedWordsIn(state, line).findLast(({ from }) => from <= pos);
    if (last || line.number === 1) return last;
  }
}

/** Returns the last word that begins at a time in seconds or earlier; the words are expected in the order of their times. */
export function wordAtTime(state: EditorState, ts: number): PlacedWord | undefined {
  let found: PlacedWord | undefined;
  let low = 0;
  let high = state.doc.length;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const next = timedWordFrom(state, middle);
    if (next && next.word.ts <= ts) {
      found = next;
      low = Math.max(middle, next.to) + 1;
    } else high = middle - 1;
  }
  return found;
}

/** Returns the next uncertain word after a position, or the previous one before it. */
export function uncertainWord(
  state: EditorState,
  pos: number,
  { isForward }: { readonly isForward: boolean },
): PlacedWord | undefined {
  let found: PlacedWord | undefined;
  const cursor = state.field(turnData).words.iter(isForward ? pos : 0);
  for (; cursor.value; cursor.next()) {
    const { from, to, value: word } = cursor;
    if (!isForward && to >= pos) break;
    if (word.isStale || (word.confidence ?? 1) >= UNCERTAIN_BELOW || (isForward && from < pos)) continue;
    found = { from, to, word };
    if (isForward) break;
  }
  return found;
}

/** Returns the words of a line, by its number from 1, that have no time. */
export function untimedWords(state: EditorState, lineNumber: number): Place[] {
  const line = state.doc.line(lineNumber);
  const timed = timedWordsIn(state, line);
  let index = 0;
  return wordsOf(line.text)
    .map(([start, end]): Place => ({ from: line.from + start, to: line.from + end }))
    .filter(({ from, to }) => {
      while ((timed[index]?.to ?? Number.POSITIVE_INFINITY) <= from) index++;
      const found = timed[index];
      return !(found && found.from <= from && found.to >= to);
    });
}

/** Returns the next word without a time that begins at a position or later. */
export function untimedWordFrom(state: EditorState, pos: number): Place | undefined {
  for (let number = state.doc.lineAt(pos).number; number <= state.doc.lines; number++) {
    const found = untimedWords(state, number).find(({ from }) => from >= pos);
    if (found) return found;
  }
  return undefined;
}
