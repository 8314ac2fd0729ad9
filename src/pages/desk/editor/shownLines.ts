import { EditorState, type Extension, Facet, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { clockText } from '../../times.ts';
import { UNCERTAIN_BELOW } from './places.ts';
import { speakerAt } from './speakers.ts';
import { mapPlace, type Place } from './timedWords.ts';
import { turnData } from './turnState.ts';

/** Marks and labels that are shown besides the text. */
export interface Looks {
  /** Names of speakers from 0 upwards. */
  readonly speakerNames: readonly string[];
  readonly areUncertainMarked: boolean;
}

export const looks = Facet.define<Looks, Looks>({
  combine: ([first]) => first ?? { speakerNames: [], areUncertainMarked: false },
});

/** Returns the name of a speaker. */
export function speakerName(state: EditorState, speaker: number): string {
  return state.facet(looks).speakerNames[speaker] || `Speaker ${speaker}`;
}

/** Marks a word as the one that plays. */
export const setPlaying = StateEffect.define<Place | undefined>({
  map: (place, changes) => place && mapPlace(place, changes),
});

const PLAYING = Decoration.mark({ class: 'cm-playing' });
const UNCERTAIN = Decoration.mark({ class: 'cm-uncertain' });

/** The mark of the word that plays. */
export const playing = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const effect = effects.findLast(effect => effect.is(setPlaying));
    if (!effect) return marks.map(changes);
    const place = effect.value;
    return place && place.from < place.to
      ? Decoration.set(PLAYING.range(place.from, place.to))
      : Decoration.none;
  },
  provide: field => EditorView.decorations.from(field),
});

/** Attributes and marks of the lines that are on screen. */
const shownLines = ViewPlugin.define(
  view => ({
    decorations: decorationsOf(view),
    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate) {
      const isSame =
        startState.field(turnData) === state.field(turnData) &&
        startState.facet(looks) === state.facet(looks);
      if (docChanged || viewportChanged || !isSame) this.decorations = decorationsOf(view);
    },
  }),
  { decorations: plugin => plugin.decorations },
);

/** Names the speaker for screen readers when the cursor comes to a turn of another one. */
const announced = EditorState.transactionExtender.of(({ selection, docChanged, startState }) => {
  if (!selection || docChanged) return null;
  const { speakers } = startState.field(turnData);
  const speakerOf = (pos: number) => speakerAt(speakers, startState.doc.lineAt(pos).from);
  const before = speakerOf(startState.selection.main.head);
  const after = speakerOf(selection.main.head);
  return before === after ? null : { effects: EditorView.announce.of(speakerName(startState, after)) };
});

/** Shows speakers and times of lines, uncertain words, and the word that plays. */
export const shown: Extension = [playing, shownLines, announced];

function decorationsOf({ state, viewport }: EditorView): DecorationSet {
  const { words, speakers } = state.field(turnData);
  const markedBelow = state.facet(looks).areUncertainMarked ? UNCERTAIN_BELOW : 0;
  const found: Range<Decoration>[] = [];
  const cursor = words.iter(viewport.from);
  for (let pos = viewport.from; pos <= viewport.to; ) {
    const line = state.doc.lineAt(pos);
    const marks: Range<Decoration>[] = [];
    let ts: number | undefined;
    for (; cursor.value && cursor.from <= line.to; cursor.next()) {
      if (cursor.value.isStale || cursor.from < line.from) continue;
      ts ??= cursor.value.ts;
      if ((cursor.value.confidence ?? 1) < markedBelow) marks.push(UNCERTAIN.range(cursor.from, cursor.to));
    }
    const speaker = speakerAt(speakers, line.from);
    found.push(
      lineDecoration(line.text, { name: speakerName(state, speaker), ts }).range(line.from),
      ...marks,
    );
    pos = line.to + 1;
  }
  return Decoration.set(found);
}

function lineDecoration(text: string, { name, ts }: { name: string; ts: number | undefined }): Decoration {
  const attributes: Record<string, string> = { 'data-speaker': name };
  if (ts !== undefined) attributes['data-time'] = clockText(ts, { hours: true });
  // Without letters, a line has the direction of the language.
  if (/\p{L}/u.test(text.slice(0, 500))) attributes.dir = 'auto';
  return Decoration.line({ attributes });
}
