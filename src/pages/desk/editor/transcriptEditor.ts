import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { closeSearchPanel, search } from '@codemirror/search';
import {
  Compartment,
  EditorState,
  type Extension,
  type StateEffect,
  type Transaction,
} from '@codemirror/state';
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap } from '@codemirror/view';
import type { DeskTurn } from '../../../protocol/desk.ts';
import type { ChangedRange } from './changedTurns.ts';
import { commands, type EditorCommand, insertTerm, select, turnKeys } from './commands.ts';
import { editorTheme } from './editorTheme.ts';
import { createSpeakers } from './giveSpeakers.ts';
import { cleanPasted, limitTurns } from './inputLimits.ts';
import { repeatStep, unwind } from './pastSteps.ts';
import { timedWordAt, timedWordBefore, wordAtTime } from './places.ts';
import { createSearchPanel } from './searchPanel.tsx';
import { openSearch } from './searchQuery.ts';
import { looks, playing, setPlaying, shown } from './shownLines.ts';
import { namesField, setNames, speakerNames } from './speakerNames.ts';
import { knownSpelling } from './spelling.ts';
import type { Splice } from './storedDraft.ts';
import type { PlacedWord } from './timedWords.ts';
import { changedTurnsOf, docOf, replaceTurns, turns, turnsOf } from './turnState.ts';

export interface TranscriptEditorOptions {
  readonly parent: HTMLElement;
  readonly turns: readonly DeskTurn[];
  /** Nonce of the style elements, for the content-security policy. */
  readonly cspNonce?: string;
  /** Language of the text, for spelling and direction. */
  readonly language: string;
  /** Names of the speakers from 0 upwards; a speaker with an empty name, or none, is called by number. */
  readonly speakerNames?: readonly string[] | undefined;
  /** Changes that lead back from the turns, oldest first, which can be undone. */
  readonly past?: readonly Splice[];
  readonly isReadOnly?: boolean;
  /** Phrases whose words are spelt as the customer wishes. */
  readonly phrases?: readonly string[];
  /** Called after each change of text, speakers or times, with the turns that it replaced; none for names of speakers. */
  readonly onChange?: (change: ChangedRange | undefined) => void;
  /** Called when the label of a turn is clicked; the cursor is then in that turn. */
  readonly onSpeaker?: () => void;
  /** Called with the start of a word in seconds when it is clicked. */
  readonly onSelectWord?: (ts: number) => void;
  /** Called with the reason when text that is typed or pasted is not taken. */
  readonly onRefused?: (sentence: string) => void;
}

/** The place of the cursor. */
export interface EditorPlace {
  /** Start of the word at the cursor in seconds, or of the last timed word before it. */
  readonly ts: number | undefined;
  /** The selected text, or the word at the cursor. */
  readonly text: string;
}

/** An editor of a transcript: a line of the text for each turn. */
export type TranscriptEditor = ReturnType<typeof createTranscriptEditor>;

/** Seconds after its end for which a word is still marked as playing, so that marks do not flicker. */
const PLAYING_SECONDS = 0.3;

/** Minimum number of undo steps. */
const UNDO_STEPS = 300;

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);

/** Opens an editor in an element. Only visible lines are in the document. */
export function createTranscriptEditor(options: TranscriptEditorOptions) {
  const writable = new Compartment();
  const shownLooks = new Compartment();
  let isFollowing = false;
  const looksOf = (areUncertainMarked: boolean) =>
    looks.of({ areUncertainMarked, onSpeaker: options.onSpeaker });
  const before = unwind(options.turns, options.speakerNames, options.past);
  const begun = EditorState.create({
    doc: docOf(before.turns),
    extensions: [
      turns(before.turns),
      speakerNames(before.names),
      writable.of(readOnly(options.isReadOnly ?? false)),
      shownLooks.of(looksOf(false)),
      baseExtensions(options),
    ],
  });
  const view = new EditorView({ parent: options.parent, state: before.steps.reduce(repeatStep, begun) });
  return {
    view,
    /** Number of turns. */
    get count() {
      return view.state.doc.lines;
    },
    /** Returns the turns from index `from` up to `to` (exclusive). Default: all. */
    turns: (from?: number, to?: number) => turnsOf(view.state, from, to),
    /** Names of the speakers from 0 upwards; empty for a speaker without a name. */
    get names() {
      return view.state.field(namesField);
    },
    speakers: createSpeakers(view),
    place: () => placeOf(view.state),
    /** Runs a command. Returns false when there was nothing to do. */
    run: (command: EditorCommand) => commands[command](view),
    /** Replaces the selection by a term. Returns false when the text is read-only. */
    insert: (term: string) => insertTerm(term)(view),
    /** Moves the cursor to the word that is spoken at a time in seconds, and shows it. */
    goTo(ts: number) {
      const from = wordAtTime(view.state, ts)?.from ?? 0;
      select(view, { from, to: from });
    },
    /** Marks the word that is spoken at a time in seconds; none when undefined. Cheap enough for each frame. */
    markPlaying: (ts: number | undefined) => markPlaying(view, ts, isFollowing),
    /** True to keep the current word in view during playback. Default false. */
    setFollowing(value: boolean) {
      isFollowing = value;
    },
    /** True to mark words of low confidence. Default false. */
    markUncertain: (isMarked: boolean) =>
      view.dispatch({ effects: shownLooks.reconfigure(looksOf(isMarked)) }),
    setReadOnly: (isReadOnly: boolean) =>
      view.dispatch({ effects: writable.reconfigure(readOnly(isReadOnly)) }),
    /** Replaces all turns, and the names of speakers. Can be undone. */
    replaceAll: (turns: readonly DeskTurn[], names: readonly string[] = []) =>
      view.dispatch(replaceTurns(view.state, turns, setNames.of(names))),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

function baseExtensions(options: TranscriptEditorOptions): Extension {
  const { language, cspNonce, onSelectWord, onChange } = options;
  return [
    history({ minDepth: UNDO_STEPS }),
    search({ top: true, literal: true, createPanel: createSearchPanel }),
    keymap.of([
      ...turnKeys,
      { key: 'Mod-f', run: openSearch, scope: 'editor search-panel' },
      { key: 'Escape', run: closeSearchPanel, scope: 'editor search-panel' },
      ...historyKeymap,
      ...standardKeymap,
    ]),
    shown,
    knownSpelling(options.phrases ?? []),
    highlightActiveLine(),
    // Direction marks and spaces without width would be delivered unseen.
    highlightSpecialChars(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({
      'aria-label': 'Transcript',
      tabindex: '0',
      lang: language,
      dir: directionOf(language),
      spellcheck: 'true',
    }),
    limitTurns(sentence => options.onRefused?.(sentence)),
    EditorView.clipboardInputFilter.of(cleanPasted),
    EditorView.updateListener.of(({ transactions }) => {
      if (!onChange) return;
      transactions.flatMap(changedTurnsOf).forEach(onChange);
      const isNamed = ({ effects }: Transaction) => effects.some(effect => effect.is(setNames));
      if (transactions.some(isNamed)) onChange(undefined);
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        const isPlain =
          !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) && event.detail === 1;
        const found = isPlain && view.state.selection.main.empty ? clickedWord(view, event) : undefined;
        if (found) onSelectWord?.(found.word.ts);
      },
    }),
    editorTheme,
    cspNonce === undefined ? [] : EditorView.cspNonce.of(cspNonce),
  ];
}

/** Returns the word below the mouse. */
function clickedWord(view: EditorView, { clientX: x, clientY: y }: MouseEvent): PlacedWord | undefined {
  const pos = view.posAtCoords({ x, y });
  const found = pos === null ? undefined : timedWordAt(view.state, pos);
  if (!found) return undefined;
  const range = document.createRange();
  const start = view.domAtPos(found.from, 1);
  const end = view.domAtPos(found.to, -1);
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  const isOver = [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
  return isOver ? found : undefined;
}

function readOnly(isReadOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-readonly': String(isReadOnly) }),
  ];
}

function markPlaying(view: EditorView, ts: number | undefined, isFollowing: boolean): void {
  const at = ts ?? Number.NEGATIVE_INFINITY;
  const found = wordAtTime(view.state, at);
  const place = found && at <= found.word.endTs + PLAYING_SECONDS ? found : undefined;
  const marked = view.state.field(playing).iter();
  const isShown = marked.value ? marked.from === place?.from && marked.to === place?.to : !place;
  if (isShown) return;
  const effects: StateEffect<unknown>[] = [setPlaying.of(place)];
  if (place && isFollowing) {
    effects.push(EditorView.scrollIntoView(place.from, { y: 'nearest', yMargin: 60 }));
  }
  view.dispatch({ effects });
}

function placeOf(state: EditorState): EditorPlace {
  const { main } = state.selection;
  const word = state.wordAt(main.head);
  const selected = main.empty && word ? word : main;
  return {
    ts: timedWordBefore(state, main.head)?.word.ts,
    text: state.sliceDoc(selected.from, selected.to),
  };
}

function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
