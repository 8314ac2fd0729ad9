import { EditorState, type Extension, Facet, type Range, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { UNCERTAIN_BELOW } from '../../../transcript/model/model.ts';
import { clockText } from '../../times.ts';
import { timedWordsIn } from './places.ts';
import { hueOf, namesField, speakerName } from './speakerNames.ts';
import { speakerAt } from './speakers.ts';
import { mapPlace, type Place } from './timedWords.ts';
import { turnData } from './turnState.ts';

/** Marks and labels that are shown besides the text. */
export interface Looks {
  readonly areUncertainMarked: boolean;
  /** Called when the label of a turn is clicked; the cursor is then in that turn. */
  readonly onSpeaker?: (() => void) | undefined;
}

export const looks = Facet.define<Looks, Looks>({
  combine: ([first]) => first ?? { areUncertainMarked: false },
});

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
        startState.facet(looks) === state.facet(looks) &&
        startState.field(namesField) === state.field(namesField);
      if (docChanged || viewportChanged || !isSame) this.decorations = decorationsOf(view);
    },
  }),
  { decorations: plugin => plugin.decorations },
);

/** Announces speaker, time and confidence to screen readers when the cursor moves to another turn. */
const announced = EditorState.transactionExtender.of(({ selection, docChanged, startState: state }) => {
  if (!selection || docChanged) return null;
  const line = state.doc.lineAt(selection.main.head);
  if (line.number === state.doc.lineAt(state.selection.main.head).number) return null;
  const words = timedWordsIn(state, line).map(({ word }) => word);
  const sure = words.flatMap(({ confidence = [] }) => confidence);
  const share = sure.reduce((sum, each) => sum + each, 0) / sure.length;
  const parts = [
    speakerName(state, speakerAt(state.field(turnData).speakers, line.from)),
    words[0] && clockText(words[0].ts),
    sure.length > 0 && `confidence ${Math.round(100 * share)} %`,
  ];
  return { effects: EditorView.announce.of(parts.filter(Boolean).join(', ')) };
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
    const label = new TurnLabel(speaker, speakerName(state, speaker), ts);
    found.push(
      ...directionOf(line.text).map(direction => direction.range(line.from)),
      Decoration.widget({ widget: label, side: -1 }).range(line.from),
      ...marks,
    );
    pos = line.to + 1;
  }
  return Decoration.set(found);
}

/** A line without letters has the direction of the language. */
const directionOf = (text: string) =>
  /\p{L}/u.test(text.slice(0, 500)) ? [Decoration.line({ attributes: { dir: 'auto' } })] : [];

/** Speaker and time of a turn, beside its text. */
class TurnLabel extends WidgetType {
  readonly speaker: number;
  readonly name: string;
  readonly ts: number | undefined;

  constructor(speaker: number, name: string, ts: number | undefined) {
    super();
    this.speaker = speaker;
    this.name = name;
    this.ts = ts;
  }

  override eq(other: TurnLabel): boolean {
    return other.speaker === this.speaker && other.name === this.name && other.ts === this.ts;
  }

  override toDOM(view: EditorView): HTMLElement {
    // The direction of the line is not that of a name.
    const label = document.createElement('bdi');
    const button = label.appendChild(document.createElement('button'));
    label.className = 'cm-turn';
    button.type = 'button';
    button.tabIndex = -1;
    button.textContent = this.name;
    button.title = this.name;
    button.className = 'voice';
    button.style.setProperty('--hue', String(hueOf(this.speaker)));
    // The focus stays in the text.
    button.addEventListener('mousedown', event => event.preventDefault());
    button.addEventListener('click', () => {
      view.dispatch({ selection: { anchor: view.posAtDOM(label) } });
      view.state.facet(looks).onSpeaker?.();
    });
    const time = label.appendChild(document.createElement('span'));
    time.textContent = this.ts === undefined ? '' : clockText(this.ts, { hours: true });
    return label;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
