import { invertedEffects, isolateHistory } from '@codemirror/commands';
import {
  type ChangeSpec,
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  Text,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { diffIndices } from 'node-diff3';
import type { DeskTurn, DeskWord } from '../../../protocol/desk.ts';
import type { ChangedRange } from './changedTurns.ts';
import {
  changedLines,
  type LineSpeaker,
  mapSpeakers,
  type PlacedSpeaker,
  putSpeakers,
  speakerAt,
} from './speakers.ts';
import type { Splice } from './storedDraft.ts';
import {
  mapPlaced,
  mapWords,
  type PlacedWord,
  putWords,
  TimedWord,
  touchedWords,
  wordSet,
} from './timedWords.ts';
import { joinsOf, keyOf } from './wordText.ts';

/** The words and speakers of the lines of a document. */
export interface TurnData {
  readonly words: RangeSet<TimedWord>;
  readonly speakers: RangeSet<LineSpeaker>;
}

/** Sets the times of words. */
export const setWords = StateEffect.define<readonly PlacedWord[]>({ map: mapPlaced });

/** Sets the speakers of lines. */
export const setSpeakers = StateEffect.define<readonly PlacedSpeaker[]>({
  map: (placed, changes) => placed.map(({ pos, speaker }) => ({ pos: changes.mapPos(pos), speaker })),
});

/** Sets the words and speakers of the whole document. */
const setTurnData = StateEffect.define<TurnData>({
  map: ({ words, speakers }, changes) => ({ words: words.map(changes), speakers: speakers.map(changes) }),
});

/** Words and speakers of the lines of a document. */
export const turnData = StateField.define<TurnData>({
  create: () => turnDataOf([], Text.empty),
  update(data, transaction) {
    const { changes, startState, newDoc, effects } = transaction;
    let { words, speakers } = data;
    const whole = effects.findLast(effect => effect.is(setTurnData));
    if (whole) ({ words, speakers } = whole.value);
    else if (!changes.empty) {
      words = mapWords(words, changes, { before: startState.doc, doc: newDoc });
      speakers = mapSpeakers(speakers, changes, { before: startState.doc, after: newDoc });
    }
    for (const effect of whole ? effects.slice(effects.indexOf(whole) + 1) : effects) {
      if (effect.is(setWords)) words = putWords(words, effect.value, newDoc);
      if (effect.is(setSpeakers)) speakers = putSpeakers(speakers, effect.value, newDoc);
    }
    return words === data.words && speakers === data.speakers ? data : { words, speakers };
  },
});

/** Keeps words and speakers of lines; undoing brings them back. */
export function turns(initial: readonly DeskTurn[]): Extension {
  const doc = docOf(initial);
  return [turnData.init(() => turnDataOf(initial, doc)), invertedEffects.of(inverted)];
}

/** Returns the document with a line for each turn; with one line when there is none. */
export function docOf(turns: readonly DeskTurn[]): Text {
  return Text.of(turns.length === 0 ? [''] : turns.map(({ text }) => lineOf(text)));
}

/** Returns words and speakers of turns, which are the lines of a document. */
function turnDataOf(turns: readonly DeskTurn[], doc: Text): TurnData {
  const { words, speakers } = placedTurns(turns.length === 0 ? [EMPTY_TURN] : turns, 0);
  return { words: wordSet(words), speakers: putSpeakers(RangeSet.empty, speakers, doc) };
}

/** Returns the words and speakers of turns, of which the first begins at a position. */
function placedTurns(turns: readonly DeskTurn[], start: number) {
  const words: PlacedWord[] = [];
  const speakers: PlacedSpeaker[] = [];
  let pos = start;
  for (const turn of turns) {
    words.push(...placedWords(turn, pos));
    speakers.push({ pos, speaker: turn.speaker });
    pos += turn.text.length + 1;
  }
  return { words, speakers };
}

const EMPTY_TURN: DeskTurn = { speaker: 0, text: '', words: [] };

/** Returns the turns of lines from index `from` up to `to` (exclusive). Default: all. */
export function turnsOf(state: EditorState, from = 0, to = state.doc.lines): DeskTurn[] {
  const found: DeskTurn[] = [];
  if (from >= to) return found;
  const { words, speakers } = state.field(turnData);
  const cursor = words.iter(state.doc.line(from + 1).from);
  const speaker = speakers.iter(state.doc.line(from + 1).from);
  for (let number = from + 1; number <= to; number++) {
    const line = state.doc.line(number);
    const inLine: DeskWord[] = [];
    for (; cursor.value && cursor.from <= line.to; cursor.next()) {
      const { isStale, ts, endTs, confidence } = cursor.value;
      if (isStale || cursor.from < line.from) continue;
      const start = cursor.from - line.from;
      const end = cursor.to - line.from;
      inLine.push(confidence === undefined ? [start, end, ts, endTs] : [start, end, ts, endTs, confidence]);
    }
    while (speaker.value && speaker.from < line.from) speaker.next();
    found.push({ speaker: speaker.value?.speaker ?? 0, text: line.text, words: inLine });
  }
  return found;
}

/**
 * Returns the transaction that replaces all turns. The text of equal turns stays, and with it cursor and scrolling. No filter
 * applies to this transaction.
 *
 * @param others further effects
 */
export function replaceTurns(
  state: EditorState,
  turns: readonly DeskTurn[],
  ...others: readonly StateEffect<unknown>[]
): TransactionSpec {
  const doc = docOf(turns);
  // Replacing no text is no change: the speakers of turns without text are set apart.
  const silent = placedTurns(turns, 0).speakers.filter((_, index) => turns[index]!.text === '');
  return {
    changes: changesTo(state, turns),
    effects: [setTurnData.of(turnDataOf(turns, doc)), setSpeakers.of(silent), ...others],
    annotations: isolateHistory.of('full'),
    filter: false,
  };
}

/** Returns the transaction that replaces some turns, as a step of its own to undo. */
export function spliceTurns(
  state: EditorState,
  { from, to, turns }: Pick<Splice, 'from' | 'to' | 'turns'>,
  ...others: readonly StateEffect<unknown>[]
): TransactionSpec {
  const changes = state.changes(linesReplaced(state.doc, [from, to - from], turns));
  const doc = changes.apply(state.doc);
  const { words, speakers } = placedTurns(turns, turns.length > 0 ? doc.line(from + 1).from : 0);
  return {
    changes,
    effects: [setWords.of(words), setSpeakers.of(speakers), ...others],
    annotations: isolateHistory.of('full'),
    filter: false,
  };
}

function changesTo(state: EditorState, turns: readonly DeskTurn[]): ChangeSpec[] {
  const [before, after] = [turnsOf(state), turns].map(list => list.map(turn => JSON.stringify(turn)));
  return diffIndices(before!, after!).flatMap(
    ({ buffer1: [first = 0, count = 0], buffer2: [from = 0, added = 0] }) => {
      const put = turns.slice(from, from + added);
      if (count !== added) return linesReplaced(state.doc, [first, count], put);
      return put.flatMap((turn, n) => lineReplaced(state.doc, first + n, turn));
    },
  );
}

/** Returns the changes of the words of a line by its index, so that a cursor stays at its word. */
function lineReplaced(doc: Text, index: number, turn: DeskTurn): readonly ChangeSpec[] {
  const line = doc.line(index + 1);
  // A turn with the same text counts as changed, as its times or its speaker differ.
  if (line.text === turn.text) return [linesReplaced(doc, [index, 1], [turn])];
  const [before, after] = [line.text, lineOf(turn.text)].map(text => text.split(/(?<=\s)/u)) as [
    string[],
    string[],
  ];
  const placeOf = (word: number) => line.from + before.slice(0, word).join('').length;
  return diffIndices(before, after).map(({ buffer1: [a = 0, count = 0], buffer2: [b = 0, added = 0] }) => ({
    from: placeOf(a),
    to: placeOf(a + count),
    insert: after.slice(b, b + added).join(''),
  }));
}

/** Returns the change that puts turns in place of the lines from index `first`. */
function linesReplaced(
  doc: Text,
  [first, count]: readonly [first: number, count: number],
  turns: readonly DeskTurn[],
): { readonly from: number; readonly to?: number; readonly insert?: Text } {
  const [from = 0, to = 0] = [first, first + count].map(n =>
    n < doc.lines ? doc.line(n + 1).from : doc.length,
  );
  const isLast = first + count >= doc.lines;
  if (turns.length === 0) return { from: Math.max(0, isLast ? from - 1 : from), to };
  const insert = docOf(turns);
  if (count > 0) return { from, to: isLast ? to : to - 1, insert };
  const brk = Text.of(['', '']);
  return { from, insert: isLast ? brk.append(insert) : insert.append(brk) };
}

/** Returns the turns that a transaction has changed, from first to last: an index counts the changes before it as made. */
export function changedTurnsOf(transaction: Transaction): ChangedRange[] {
  const { changes, startState, newDoc, effects } = transaction;
  const lines = changedLines(changes, startState.doc, newDoc);
  const ranges: ChangedRange[] = lines.map(({ before, after }) => ({
    from: after[0] - 1,
    to: after[1],
    replaced: before[1] - before[0] + 1,
  }));
  for (const effect of effects) {
    const positions = effect.is(setWords)
      ? effect.value.map(({ from }) => from)
      : effect.is(setSpeakers)
        ? effect.value.map(({ pos }) => pos)
        : [];
    for (const line of new Set(positions.map(pos => newDoc.lineAt(Math.min(pos, newDoc.length)).number))) {
      const isKnown = ranges.some(({ from, to }) => line > from && line <= to);
      if (!isKnown) ranges.push({ from: line - 1, to: line, replaced: 1 });
    }
  }
  return ranges;
}

/** Returns the text with the characters that the server refuses replaced, at the same length. */
const lineOf = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').toWellFormed();

function* placedWords({ text, words }: DeskTurn, start: number): Generator<PlacedWord> {
  let end = 0;
  for (const [from, to, ts, endTs, confidence] of words) {
    if (from < end || to <= from || to > text.length) continue;
    end = to;
    const key = keyOf(text.slice(from, to));
    const word = new TimedWord({ ts, endTs, confidence, key, joins: joinsOf(text, [from, to]) });
    yield { from: start + from, to: start + to, word };
  }
}

/** Returns the effects that bring back words and speakers when a transaction is undone. */
function inverted(transaction: Transaction): StateEffect<unknown>[] {
  const { changes, startState, newDoc, effects } = transaction;
  const { words, speakers } = startState.field(turnData);
  if (effects.some(effect => effect.is(setTurnData))) return [setTurnData.of({ words, speakers })];
  const lineStarts = new Set<number>();
  const hasSpeakers = effects.some(effect => effect.is(setSpeakers));
  for (const { before, after } of changedLines(changes, startState.doc, newDoc)) {
    // A change within a line adds no effect, as each typed letter would otherwise add one to the history.
    if (!hasSpeakers && before[0] === before[1] && after[0] === after[1]) continue;
    for (let line = before[0]; line <= before[1]; line++) lineStarts.add(startState.doc.line(line).from);
  }
  const back: StateEffect<unknown>[] = [];
  if (changes.empty) {
    for (const effect of effects) {
      if (effect.is(setSpeakers))
        for (const { pos } of effect.value) lineStarts.add(startState.doc.lineAt(pos).from);
    }
  }
  const touched = touchedWords(words, changes, startState.doc);
  if (touched.length > 0) back.push(setWords.of(touched));
  if (lineStarts.size > 0) {
    back.push(setSpeakers.of([...lineStarts].map(pos => ({ pos, speaker: speakerAt(speakers, pos) }))));
  }
  return back;
}
