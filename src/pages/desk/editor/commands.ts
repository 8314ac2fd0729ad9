import { redo, undo } from '@codemirror/commands';
import { findNext, findPrevious } from '@codemirror/search';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
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
  merge: changing(state => mergeTurn(state, state.doc.lineAt(state.selection.main.head).number)),
  inaudible: insertTerm(INAUDIBLE),
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

/** Keys whose meaning is other than in most editors, as lines are turns. */
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

/** Assigns the selected turns to a speaker. */
export function giveToSpeaker(view: EditorView, speaker: number): boolean {
  const { state } = view;
  const { speakers } = state.field(turnData);
  const { from, to } = state.selection.main;
  const starts: number[] = [];
  for (let pos = from; pos <= to; ) {
    const line = state.doc.lineAt(pos);
    if (speakerAt(speakers, line.from) !== speaker) starts.push(line.from);
    pos = line.to + 1;
  }
  if (state.readOnly || starts.length === 0) return false;
  view.dispatch({ effects: setSpeakers.of(starts.map(pos => ({ pos, speaker }))) });
  return true;
}

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

/** Joins the turn of a line, by its number from 1, to the one before it. */
function mergeTurn(state: EditorState, lineNumber: number): TransactionSpec | undefined {
  if (lineNumber < 2 || lineNumber > state.doc.lines) return undefined;
  const [first, second] = [state.doc.line(lineNumber - 1), state.doc.line(lineNumber)];
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

/** Returns a command that puts a term in place of the selection, with the spaces that it needs. */
export function insertTerm(term: string): Command {
  return changing(state => {
    const { from, to } = state.selection.main;
    const before = state.sliceDoc(Math.max(0, from - 1), from);
    const insert = spacedTerm(term, before, state.sliceDoc(to, to + 1));
    return { changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input' };
  });
}
