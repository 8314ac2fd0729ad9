import { redo, undo } from '@codemirror/commands';
import { findNext, findPrevious } from '@codemirror/search';
import { type ChangeSpec, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import { type Command, EditorView, type KeyBinding } from '@codemirror/view';
import { uncertainWord, untimedWordFrom } from './places.ts';
import { openReplace, openSearch } from './searchQuery.ts';
import { speakerAt } from './speakers.ts';
import type { Place } from './timedWords.ts';
import { setSpeakers, turnData } from './turnState.ts';
import { spacedTerm } from './wordText.ts';

const INAUDIBLE = '[inaudible]';

/** Commands without parameters, by the names of the actions of the desk. */
export const commands = {
  undo,
  redo,
  split: changing(splitTurn),
  merge: changing(mergeSelected),
  inaudible: insertTerm(INAUDIBLE),
  removeInvisible: changing(removeInvisible),
  nextDoubtful: (view: EditorView) => selectUncertain(view, true),
  previousDoubtful: (view: EditorView) => selectUncertain(view, false),
  nextUntimed: (view: EditorView) =>
    select(view, untimedWordFrom(view.state, view.state.selection.main.to + 1)),
  find: openSearch,
  replace: openReplace,
  findNext,
  findPrevious,
} satisfies Readonly<Record<string, Command>>;
export type EditorCommand = keyof typeof commands;

/** Keys that act differently than in most editors, as lines are turns. */
export const turnKeys: readonly KeyBinding[] = [
  { key: 'Enter', run: commands.split, shift: commands.split },
  ...['Backspace', 'Shift-Backspace', 'Mod-Backspace', 'Alt-Backspace'].map(key => ({
    key,
    run: changing(state => mergeAt('from', state)),
  })),
  ...['Delete', 'Mod-Delete', 'Alt-Delete'].map(key => ({
    key,
    run: changing(state => mergeAt('to', state)),
  })),
];

/** Selects a place and shows it. */
export function select(view: EditorView, place: Place | undefined): boolean {
  if (!place) return false;
  view.dispatch({
    selection: EditorSelection.single(place.from, place.to),
    effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
    userEvent: 'select',
  });
  return true;
}

function selectUncertain(view: EditorView, isForward: boolean): boolean {
  const { from, to } = view.state.selection.main;
  return select(view, uncertainWord(view.state, isForward ? to : from, { isForward }));
}

function changing(change: (state: EditorState) => TransactionSpec | undefined): Command {
  return view => {
    const spec = view.state.readOnly ? undefined : change(view.state);
    if (spec) view.dispatch({ scrollIntoView: true, ...spec });
    return spec !== undefined;
  };
}

/** Splits the turn at the cursor. Spaces there are left out. */
function splitTurn(state: EditorState): TransactionSpec {
  const { main } = state.selection;
  const before = state.doc.lineAt(main.from);
  const after = state.doc.lineAt(main.to);
  const from = before.from + before.text.slice(0, main.from - before.from).trimEnd().length;
  const to = after.to - after.text.slice(main.to - after.from).trimStart().length;
  return {
    changes: { from, to, insert: state.toText('\n') },
    selection: { anchor: from + 1 },
    userEvent: 'input',
  };
}

/** Joins the turns of the selection; that of the cursor to the one before it. */
function mergeSelected(state: EditorState): TransactionSpec | undefined {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  if (first.number === last.number) return mergeTurn(state, first.number);
  const changes: ChangeSpec[] = [];
  let speaker: number | undefined;
  let end = first.from;
  for (let number = first.number; number <= last.number; number++) {
    const line = state.doc.line(number);
    const text = line.text.trim();
    if (text === '') continue;
    const start = line.from + line.text.indexOf(text);
    changes.push({ from: end, to: start, insert: speaker === undefined ? '' : ' ' });
    speaker ??= speakerAt(state.field(turnData).speakers, line.from);
    end = start + text.length;
  }
  changes.push({ from: end, to: last.to });
  return {
    changes,
    effects: setSpeakers.of([{ pos: first.from, speaker: speaker ?? 0 }]),
    userEvent: 'delete.merge',
  };
}

/** Joins the turn of a line, by its number from 1, to the one before it. */
function mergeTurn(state: EditorState, lineNumber: number): TransactionSpec | undefined {
  if (lineNumber < 2 || lineNumber > state.doc.lines) return undefined;
  const first = state.doc.line(lineNumber - 1);
  const second = state.doc.line(lineNumber);
  const from = first.from + first.text.trimEnd().length;
  const to = second.to - second.text.trimStart().length;
  const isEmpty = from === first.from || to === second.to;
  const insert = isEmpty ? '' : ' ';
  return {
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'delete.merge',
  };
}

/** Joins turns when the cursor is at the start of a line, or at its end. */
function mergeAt(edge: 'from' | 'to', state: EditorState): TransactionSpec | undefined {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const second = edge === 'from' ? line.number : line.number + 1;
  return main.empty && main.head === line[edge] ? mergeTurn(state, second) : undefined;
}

/** Marks of direction, and spaces and joints without width. Joiners are letters of some scripts, and stay. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Returns the places of characters that are delivered unseen. */
export function invisibleIn({ doc }: EditorState): readonly Place[] {
  return [...doc.toString().matchAll(INVISIBLE)].map(({ index }) => ({ from: index, to: index + 1 }));
}

/** Removes invisible characters. */
function removeInvisible(state: EditorState): TransactionSpec | undefined {
  const changes = invisibleIn(state);
  return changes.length === 0 ? undefined : { changes, scrollIntoView: false, userEvent: 'delete' };
}

/** Returns a command that replaces the selection by a term, with the spaces that the term needs. */
export function insertTerm(term: string): Command {
  return changing(state => {
    const { from, to } = state.selection.main;
    const before = state.sliceDoc(Math.max(0, from - 1), from);
    const insert = spacedTerm(term, before, state.sliceDoc(to, to + 1));
    return { changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input' };
  });
}
