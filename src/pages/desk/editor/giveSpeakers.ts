import { isolateHistory } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { dequal } from 'dequal/lite';
import { DESK_LIMITS } from '../../../protocol/limits.ts';
import { namesField, numberedSpeaker, setNames, speakerName, speakersOf } from './speakerNames.ts';
import { speakerAt } from './speakers.ts';
import { setSpeakers, turnData } from './turnState.ts';

/** The turns of the selection, or all of a speaker. */
export type SpeakerScope = 'selection' | number;

/** Creates the operations on the speakers of a text. */
export const createSpeakers = (view: EditorView) => ({
  /** Speaker of the turn at the cursor. */
  get current() {
    const { doc, selection } = view.state;
    return speakerAt(view.state.field(turnData).speakers, doc.lineAt(selection.main.from).from);
  },
  /** Returns the speakers with turns or a name. */
  list: () => speakersOf(view.state),
  /** Assigns the selected turns to a speaker. Returns a sentence on it. */
  give: (speaker: number) => give(view, 'selection', speaker, view.state.field(namesField)),
  /** Assigns turns by the name of a speaker, or names one. Returns a sentence on it. */
  name: (given: string, scope: SpeakerScope) => giveToName(view, given, scope),
});

/**
 * Assigns turns to the speaker with a name. An unused name becomes that of the speaker of the scope, or of a new speaker of the
 * selected turns. Returns a sentence on it.
 */
function giveToName(view: EditorView, given: string, scope: SpeakerScope): string {
  const { state } = view;
  const name = given.trim().slice(0, DESK_LIMITS.speakerNameLength);
  const known = speakersOf(state);
  const found = known.find(one => one.name.toLowerCase() === name.toLowerCase())?.speaker;
  const names = Array.from(
    { length: DESK_LIMITS.maxSpeaker + 1 },
    (_, n) => state.field(namesField)[n] ?? '',
  );
  const free = names.findIndex((_, n) => !known.some(({ speaker }) => speaker === n));
  const to = found ?? (scope === 'selection' ? free : scope);
  if (name === '' && scope === 'selection') return 'The turn has no speaker without a name.';
  if (to < 0) return `A text has ${names.length} speakers at most.`;
  if (found === undefined || found === scope) names[to] = name === numberedSpeaker(to) ? '' : name;
  // A name without turns belongs to no speaker.
  else if (scope !== 'selection') names[scope] = '';
  return give(view, scope, to, names.slice(0, 1 + names.findLastIndex(each => each !== '')));
}

function give(view: EditorView, scope: SpeakerScope, to: number, names: readonly string[]): string {
  const { state } = view;
  if (state.readOnly) return 'The text cannot be changed now.';
  const before = speakerName(state, to);
  const positions = startsOf(state, scope).filter(
    pos => speakerAt(state.field(turnData).speakers, pos) !== to,
  );
  if (positions.length === 0 && dequal(names, state.field(namesField))) {
    return `Nothing changes: ${before} speaks there.`;
  }
  view.dispatch({
    effects: [setSpeakers.of(positions.map(pos => ({ pos, speaker: to }))), setNames.of(names)],
    annotations: isolateHistory.of('full'),
  });
  const after = speakerName(view.state, to);
  if (positions.length > 1) return `${positions.length} turns are by ${after} now.`;
  if (positions.length === 1) return `The turn is by ${after} now.`;
  return `${before} is ${after} now.`;
}

/** Returns the starts of the lines of a scope. */
function startsOf(state: EditorState, scope: SpeakerScope): readonly number[] {
  const starts: number[] = [];
  if (scope === 'selection') {
    const { from, to } = state.selection.main;
    for (let pos = from; pos <= to; ) {
      const line = state.doc.lineAt(pos);
      starts.push(line.from);
      pos = line.to + 1;
    }
  } else {
    const cursor = state.field(turnData).speakers.iter();
    for (; cursor.value; cursor.next()) {
      if (cursor.value.speaker === scope) starts.push(cursor.from);
    }
  }
  return starts;
}
