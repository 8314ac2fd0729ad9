import type { EditorState } from '@codemirror/state';
import type { DeskSpeakerNames, DeskTurn } from '../../../protocol/desk.ts';
import { setNames } from './speakerNames.ts';
import type { Splice } from './storedDraft.ts';
import { spliceTurns } from './turnState.ts';

/** Returns the text before changes that can be undone, and the changes that lead from there to the present one. */
export function unwind(
  turns: readonly DeskTurn[],
  names: DeskSpeakerNames = [],
  past: readonly Splice[] = [],
) {
  const steps: Splice[] = [];
  let before = { turns, names };
  for (const { from, to, turns: earlier, speaker_names = [] } of past.toReversed()) {
    const end = from + earlier.length;
    const { length } = before.turns;
    // An editor has one turn at least.
    if (from > to || to > length || length === to - end) break;
    steps.unshift({ from, to: end, turns: before.turns.slice(from, to), speaker_names: before.names });
    before = { turns: before.turns.toSpliced(from, to - from, ...earlier), names: speaker_names };
  }
  return { ...before, steps };
}

/** Makes a change again. Undoing it returns to its place. */
export function repeatStep(state: EditorState, step: Splice): EditorState {
  const anchor = step.from < state.doc.lines ? state.doc.line(step.from + 1).from : 0;
  const placed = state.update({ selection: { anchor } }).state;
  return placed.update(spliceTurns(placed, step, setNames.of(step.speaker_names ?? []))).state;
}
