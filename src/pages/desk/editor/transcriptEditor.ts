import type { EditorView } from '@codemirror/view';
import type { DeskTurn } from '../../../protocol/desk.ts';
import type { ChangedRange } from './changedTurns.ts';

/** Commands without parameters. The page binds keys to them. */
export type EditorCommand =
  | 'undo'
  | 'redo'
  | 'split-turn'
  | 'merge-turn'
  | 'insert-inaudible'
  | 'next-uncertain'
  | 'previous-uncertain'
  | 'next-untimed'
  | 'find';

export interface TranscriptEditorOptions {
  readonly parent: HTMLElement;
  readonly turns: readonly DeskTurn[];
  /** Nonce of the style elements, for the content-security policy. */
  readonly cspNonce?: string;
  /** Language of the text, for spelling and direction. */
  readonly language: string;
  /** Names of the speakers from 0 upwards; others are called by their number. */
  readonly speakerNames?: readonly string[];
  /** Name of the text for screen readers. Default "Transcript". */
  readonly label?: string;
  readonly isReadOnly?: boolean;
  /** Called after each change of text, speakers or times, with the turns that it replaced. */
  readonly onChange?: (change: ChangedRange) => void;
  /** Called when the cursor or the text has changed. */
  readonly onCursor?: () => void;
  /** Called with the start of a word in seconds when it is clicked. */
  readonly onSelectWord?: (ts: number) => void;
}

/** The place of the cursor. */
export interface EditorPlace {
  /** Index of the turn. */
  readonly turn: number;
  readonly turns: number;
  readonly speaker: number;
  /** Name of the speaker, as shown. */
  readonly speakerName: string;
  /** Start of the word at the cursor in seconds, or of the last timed word before it. */
  readonly ts: number | undefined;
  /** The selected text, or the word at the cursor. */
  readonly text: string;
}

/** An editor of a transcript: a line of the text for each turn. */
export interface TranscriptEditor {
  readonly view: EditorView;
  /** Number of turns. */
  readonly count: number;
  /** Returns the turns from index `from` up to `to` (exclusive). Default: all. */
  turns(from?: number, to?: number): DeskTurn[];
  place(): EditorPlace;
  /** Runs a command. Returns false when there was nothing to do. */
  run(command: EditorCommand): boolean;
  /** Gives the turns of the selection to a speaker. */
  setSpeaker(speaker: number): boolean;
  setSpeakerNames(names: readonly string[]): void;
  /** Moves the cursor to the word that is spoken at a time in seconds, and shows it. */
  goTo(ts: number): void;
  /** Marks the word that is spoken at a time in seconds; none when undefined. Cheap enough for each frame. */
  markPlaying(ts: number | undefined): void;
  /** Whether the word that plays is kept in view. Default false. */
  setFollowing(isFollowing: boolean): void;
  /** Whether words below a confidence are marked. Default: not, and 0.6 for commands. */
  markUncertain(isMarked: boolean, threshold?: number): void;
  setReadOnly(isReadOnly: boolean): void;
  /** Replaces all turns. Can be undone. */
  replaceAll(turns: readonly DeskTurn[]): void;
  focus(): void;
  close(): void;
}

/** Opens an editor in an element. */
export function createTranscriptEditor(_options: TranscriptEditorOptions): TranscriptEditor {
  throw new Error('Not implemented');
}
