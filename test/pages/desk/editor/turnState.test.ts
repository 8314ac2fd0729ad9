import { history, redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addChange, type ChangedRange } from '../../../../src/pages/desk/editor/changedTurns.ts';
import { repeatStep, unwind } from '../../../../src/pages/desk/editor/pastSteps.ts';
import { untimedWords } from '../../../../src/pages/desk/editor/places.ts';
import { isWordAt, TimedWord } from '../../../../src/pages/desk/editor/timedWords.ts';
import {
  changedTurnsOf,
  docOf,
  replaceTurns,
  setSpeakers,
  setWords,
  turnData,
  turns as turnsExtension,
  turnsOf,
} from '../../../../src/pages/desk/editor/turnState.ts';
import { keyOf } from '../../../../src/pages/desk/editor/wordText.ts';
import type { DeskTurn, DeskWord } from '../../../../src/protocol/desk.ts';

/** Time of the words that were typed. */
const TYPED_TS = 9999;

/** Returns turns of which each word takes one second. */
function turnsOfTexts(...texts: string[]): DeskTurn[] {
  let ts = 0;
  return texts.map((text, speaker) => ({
    speaker,
    text,
    words: [...text.matchAll(/[\p{L}\p{N}'’]+/gu)].map(
      ({ 0: word, index }): DeskWord => [index, index + word.length, ts, ++ts, 0.5],
    ),
  }));
}

const opened = (turns: readonly DeskTurn[]) =>
  EditorState.create({ doc: docOf(turns), extensions: [turnsExtension(turns), history()] });

class Editing {
  state: EditorState;
  changed: ChangedRange | undefined;
  constructor(turns: readonly DeskTurn[]) {
    this.state = opened(turns);
  }
  dispatch(...specs: TransactionSpec[]) {
    this.#take(this.state.update(...specs));
  }
  undo() {
    return undo({ state: this.state, dispatch: transaction => this.#take(transaction) });
  }
  redo() {
    return redo({ state: this.state, dispatch: transaction => this.#take(transaction) });
  }
  #take(transaction: ReturnType<EditorState['update']>) {
    for (const change of changedTurnsOf(transaction)) this.changed = addChange(this.changed, change);
    this.state = transaction.state;
  }
  /** Types text at a position as keys do, with a pause after each. */
  type(at: number, text: string) {
    for (const char of text) {
      this.dispatch({ changes: { from: at, insert: char }, userEvent: 'input.type' });
      at += char.length;
    }
  }
  times() {
    return Object.fromEntries(
      turnsOf(this.state).flatMap(({ text, words }) =>
        words.map(([from, to, ts]) => [text.slice(from, to), ts]),
      ),
    );
  }
}

const someText = fc
  .array(fc.constantFrom(..."hello World don't a b 3.5 42% naïve 世界 ok, — שלום [noise]".split(' ')), {
    maxLength: 8,
  })
  .map(words => words.join(' '));
const someTurns = fc.array(someText, { minLength: 1, maxLength: 6 }).map(texts => turnsOfTexts(...texts));
const place = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('replace' as const),
    at: place,
    length: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(60)),
    insert: fc.constantFrom(...[..."x ,'s\n[]3.界ל"], '', 'hello', ' a b', 'p q\nr', '\n\n'),
  }),
  fc.record({ kind: fc.constant('speaker' as const), at: place, speaker: fc.nat(5) }),
  fc.record({
    kind: fc.constant('two' as const),
    at: place,
    other: place,
    insert: fc.constantFrom('', 'h', ' ', '\n'),
  }),
  fc.record({ kind: fc.constant('turns' as const), turns: someTurns }),
  fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) }),
  fc.record({ kind: fc.constant('time' as const), at: place }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(editing: Editing, step: Step, isApart: boolean) {
  const { doc } = editing.state;
  const userEvent = isApart ? undefined : 'input.type';
  const at = 'at' in step ? Math.floor(step.at * doc.length) : 0;
  if (step.kind === 'replace') {
    const to = Math.min(doc.length, at + step.length);
    editing.dispatch({ changes: { from: at, to, insert: editing.state.toText(step.insert) }, userEvent });
  } else if (step.kind === 'speaker') {
    editing.dispatch({ effects: setSpeakers.of([{ pos: doc.lineAt(at).from, speaker: step.speaker }]) });
  } else if (step.kind === 'two') {
    const other = Math.floor(step.other * doc.length);
    const [from, to] = [Math.min(at, other), Math.max(at, other)];
    const insert = editing.state.toText(step.insert);
    const second = { from: to, to: Math.min(doc.length, to + 2), insert };
    editing.dispatch({ changes: to > from + 1 ? [{ from, to: from + 1 }, second] : [second], userEvent });
  } else if (step.kind === 'turns') {
    editing.dispatch(replaceTurns(editing.state, step.turns));
  } else if (step.kind === 'time') {
    const timed = placedTimes(editing.state);
    const place = untimedWords(editing.state, doc.lineAt(at).number).find(
      ({ from, to }) => !timed.some(([start, end]) => start < to && end > from),
    );
    if (!place) return;
    const key = keyOf(editing.state.sliceDoc(place.from, place.to));
    const word = new TimedWord({ ts: TYPED_TS, endTs: TYPED_TS, key });
    editing.dispatch({
      effects: setWords.of([{ ...place, word }]),
      annotations: Transaction.addToHistory.of(false),
    });
  } else editing[step.kind]();
}

const steps = fc.array(fc.tuple(step, fc.boolean()), { maxLength: 20 });

describe('the words and speakers of an editor', () => {
  test('are those of its turns', () => {
    fc.assert(
      fc.property(someTurns, turns => {
        expect(turnsOf(opened(turns))).toEqual(turns);
      }),
    );
  });

  test('are back when all is undone, and again when all is redone', () => {
    fc.assert(
      fc.property(someTurns, steps, (turns, steps) => {
        const editing = new Editing(turns);
        for (const [step, isApart] of steps) take(editing, step, isApart);
        while (redoDepth(editing.state) > 0) editing.redo();
        const last = withoutTyped(turnsOf(editing.state));
        while (undoDepth(editing.state) > 0) editing.undo();
        expect(withoutTyped(turnsOf(editing.state))).toEqual(turns);
        while (redoDepth(editing.state) > 0) editing.redo();
        // A word may have a time again that had lost it to a typed one: one of the times at the beginning.
        const redone = withoutTyped(turnsOf(editing.state));
        expect(redone).toEqual(
          last.map(turn => ({ ...turn, words: expect.arrayContaining([...turn.words]) })),
        );
        const timesOf = (some: readonly DeskTurn[]) =>
          some.flatMap(({ words }) => words.map(([, , ts]) => ts));
        expect([...timesOf(last), ...timesOf(turns)]).toEqual(expect.arrayContaining(timesOf(redone)));
      }),
      { numRuns: +(process.env.RUNS ?? 1000) },
    );
  });

  test('are in order, one for each line, and stale where the text is another', () => {
    fc.assert(
      fc.property(someTurns, steps, (turns, steps) => {
        const editing = new Editing(turns);
        for (const [step, isApart] of steps) {
          take(editing, step, isApart);
          const { doc } = editing.state;
          const { words, speakers } = editing.state.field(turnData);
          const starts: number[] = [];
          for (const cursor = speakers.iter(); cursor.value; cursor.next()) starts.push(cursor.from);
          expect(starts).toEqual([...Array(doc.lines)].map((_, index) => doc.line(index + 1).from));
          let end = 0;
          for (const cursor = words.iter(); cursor.value; cursor.next()) {
            expect(cursor.value.isStale).toBe(
              !isWordAt(doc, { from: cursor.from, to: cursor.to, word: cursor.value }),
            );
            if (cursor.value.isStale) continue;
            expect(cursor.from).toBeGreaterThanOrEqual(end);
            end = cursor.to;
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('keep their times when the text near them is not changed', () => {
    const edit = fc.record({
      at: place,
      length: fc.nat(30),
      insert: fc.constantFrom('', 'x', ' ', '\n', 'new words\nhere'),
    });
    fc.assert(
      fc.property(someTurns, edit, (turns, { at, length, insert }) => {
        const editing = new Editing(turns);
        const from = Math.floor(at * editing.state.doc.length);
        const to = Math.min(editing.state.doc.length, from + length);
        const before = placedTimes(editing.state).filter(([start, end]) => end < from - 2 || start > to + 2);
        editing.dispatch({ changes: { from, to, insert: editing.state.toText(insert) } });
        const moved = insert.length - (to - from);
        const expected = before.map(([start, end, ts]) =>
          start > to ? [start + moved, end + moved, ts] : [start, end, ts],
        );
        expect(placedTimes(editing.state)).toEqual(expect.arrayContaining(expected));
      }),
    );
  });

  test.each([
    ['punctuation', 5, ', "', { hello: 0, world: 1 }],
    ['letters before one', 6, 'under', { hello: 0 }],
    ['letters behind one', 5, 's', { world: 1 }],
    ['an ending', 5, "'s", { world: 1 }],
    ['a word', 5, ' wide', { hello: 0, world: 1 }],
    ['a split', 6, '\n', { hello: 0, world: 1 }],
    ['a split within one', 2, '\n', { world: 1 }],
  ])('keep their times where they are not changed by typing %s', (_name, at, typed, expected) => {
    const editing = new Editing(turnsOfTexts('hello world'));
    editing.type(at, typed);
    expect(editing.times()).toEqual(expected);
  });

  test('are back when letters that made another word of them are removed again', () => {
    const editing = new Editing(turnsOfTexts('hello world'));
    editing.type(2, 'xx');
    expect(editing.times()).toEqual({ world: 1 });
    editing.dispatch({ changes: { from: 2, to: 4 } });
    editing.dispatch({ changes: { from: 5, to: 6 } });
    expect(editing.times()).toEqual({});
    editing.type(5, ' ');
    expect(editing.times()).toEqual({ hello: 0, world: 1 });
  });

  test('have no time when they are typed again, and keep it when their case changes', () => {
    const editing = new Editing(turnsOfTexts('in the house'));
    editing.dispatch({ changes: { from: 3, to: 7 } });
    editing.type(3, 'the ');
    editing.dispatch({ changes: { from: 0, to: 1, insert: 'I' } });
    expect(editing.times()).toEqual({ In: 0, house: 2 });
  });

  test('have the speaker of the first text of joined lines, and of the line that was split', () => {
    const editing = new Editing(turnsOfTexts('one', '', 'three', 'four'));
    const speakers = () => turnsOf(editing.state).map(({ speaker, text }) => `${speaker} ${text}`);
    editing.dispatch({ changes: { from: 1, insert: editing.state.toText('x\ny') } });
    expect(speakers()).toEqual(['0 ox', '0 yne', '1 ', '2 three', '3 four']);
    editing.dispatch({ changes: { from: 6, to: 7 } });
    expect(speakers()).toEqual(['0 ox', '0 yne', '2 three', '3 four']);
    editing.dispatch({ changes: { from: 2, to: 3 } });
    expect(speakers()).toEqual(['0 oxyne', '2 three', '3 four']);
    editing.dispatch({ changes: { from: 6, to: 12 } });
    expect(speakers()).toEqual(['0 oxyne', '3 four']);
  });

  test('are changed where the speaker of a turn without text is another one', () => {
    const editing = new Editing(turnsOfTexts('', 'two', ''));
    const turns = turnsOf(editing.state).map((turn, index) => ({
      ...turn,
      speaker: index === 2 ? 7 : turn.speaker,
    }));
    editing.dispatch(replaceTurns(editing.state, turns));
    expect(editing.changed!.to).toBe(3);
    expect(turnsOf(editing.state)).toEqual(turns);
  });

  test('are changed within the range of changed turns only', () => {
    fc.assert(
      fc.property(someTurns, steps, (turns, steps) => {
        const editing = new Editing(turns);
        for (const [step, isApart] of steps) take(editing, step, isApart);
        const changed = [...turns];
        if (editing.changed) {
          const { from, to, replaced } = editing.changed;
          changed.splice(from, replaced, ...turnsOf(editing.state, from, to));
        }
        expect(changed).toEqual(turnsOf(editing.state));
      }),
      { numRuns: 500 },
    );
  });
});

test('a cursor stays at its word where turns are replaced by some with other words in them', () => {
  const editing = new Editing(turnsOfTexts('first', 'a b c'));
  editing.dispatch({ selection: { anchor: 'first\na b'.length } });
  editing.dispatch(replaceTurns(editing.state, turnsOfTexts('first', 'long a b longer')));
  expect(turnsOf(editing.state)).toEqual(turnsOfTexts('first', 'long a b longer'));
  expect(editing.state.selection.main.head).toBe('first\nlong a b'.length);
});

/** Times that words get while they are typed are no part of what is undone. */
const withoutTyped = (turns: readonly DeskTurn[]) =>
  turns.map(turn => ({ ...turn, words: turn.words.filter(([, , ts]) => ts !== TYPED_TS) }));

function placedTimes(state: EditorState): [from: number, to: number, ts: number][] {
  return turnsOf(state).flatMap(({ words }, index) => {
    const start = state.doc.line(index + 1).from;
    return words.map(([from, to, ts]): [number, number, number] => [start + from, start + to, ts]);
  });
}

test('changes that lead back are made again, so that undoing them gives each earlier text', () => {
  const turn = fc.record({
    speaker: fc.nat(2),
    text: fc.array(fc.constantFrom('we', 'met', 'Ada'), { maxLength: 3 }).map(words => words.join(' ')),
  });
  const texts = fc.array(fc.array(turn, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(texts, states => {
      const all = states
        .map(state => state.map(({ speaker, text }) => ({ ...turnsOfTexts(text)[0]!, speaker })))
        .filter((state, index, { [index - 1]: before }) => JSON.stringify(state) !== JSON.stringify(before));
      const past = all.slice(1).map((state, index) => ({ from: 0, to: state.length, turns: all[index]! }));
      const { turns, steps } = unwind(all.at(-1)!, [], past);
      expect(turns).toEqual(all[0]);
      const editing = new Editing(turns);
      editing.state = steps.reduce(repeatStep, editing.state);
      for (const state of all.slice(0, -1).toReversed()) {
        editing.undo();
        expect(turnsOf(editing.state)).toEqual(state);
      }
    }),
  );
});
