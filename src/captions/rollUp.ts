import { SPEAKER_MARK } from '../transcript/cues/cue.ts';
import { cutToWidth, textWidth } from '../transcript/text/textWidth.ts';
import type { CaptionWord } from './captionWord.ts';

export interface RollUpShape {
  /** Terminal columns a row. */
  readonly columns: number;
  /** Rows on the screen. */
  readonly rows: number;
}

/** A word in its place. */
interface Placed {
  readonly id?: number;
  readonly text: string;
  /** How it reads in the transcript, once that is known. */
  readonly final?: string;
  /** Only what stands apart too may follow it on its row. */
  readonly aside?: boolean;
}

interface Row {
  readonly words: readonly Placed[];
  readonly width: number;
  /** Nothing is added to it. */
  readonly isNotice?: boolean;
}

/** What stands where. */
export interface RollUpState {
  /** On the screen, top to bottom. */
  readonly rows: readonly Row[];
  /** Gone from the screen, oldest first, not yet settled. */
  readonly left: readonly Row[];
}

export const emptyRollUp: RollUpState = { rows: [], left: [] };

/**
 * Adds words at the end of the bottom row; when it is full, whole rows move up. A word on the screen is never
 * changed. Corrections of words that have left the screen are passed over; a word wider than a row is cut.
 */
export function addWords(state: RollUpState, words: readonly CaptionWord[], shape: RollUpShape): RollUpState {
  const seen = new Set(state.rows.flatMap(row => row.words.map(word => word.id)));
  return words
    .filter(({ corrects }) => corrects === undefined || seen.has(corrects))
    .reduce((next, word) => addWord(next, word, shape), state);
}

/** Adds a notice on rows of its own; words after it begin another. */
export function addNotice(state: RollUpState, text: string, shape: RollUpShape): RollUpState {
  const pieces = text.split(' ').flatMap(word => cutToWidth(word, shape.columns));
  const { rows, left } = pieces.reduce(
    (next, text, index) => place(next, { text, final: text }, index === 0, shape),
    state,
  );
  return { rows: rows.with(-1, { ...rows.at(-1)!, isNotice: true }), left };
}

/** Whether a notice is the last that was shown. */
export function endsInNotice({ rows }: RollUpState): boolean {
  return rows.at(-1)?.isNotice === true;
}

/** Empties the screen. */
export function clearRows({ rows, left }: RollUpState): RollUpState {
  return { rows: [], left: [...left, ...rows] };
}

/** Takes in how words read in the transcript, by id. */
export function setWording(state: RollUpState, wording: ReadonlyMap<number, string>): RollUpState {
  if (wording.size === 0) return state;
  const reworded = (row: Row): Row => ({
    ...row,
    words: row.words.map(word =>
      word.id !== undefined && wording.has(word.id) ? { ...word, final: wording.get(word.id)! } : word,
    ),
  });
  return { rows: state.rows.map(reworded), left: state.left.map(reworded) };
}

/**
 * Takes out the rows that have left the screen and will not change any more, as they read in the transcript; a row
 * waits for those before it.
 *
 * @param all also those whose words were never final: they read as they were shown
 */
export function takeSettled(
  state: RollUpState,
  { all = false }: { readonly all?: boolean } = {},
): { readonly state: RollUpState; readonly lines: readonly string[] } {
  const unsettled = all ? -1 : state.left.findIndex(row => row.words.some(word => word.final === undefined));
  const count = unsettled < 0 ? state.left.length : unsettled;
  if (count === 0) return { state, lines: [] };
  return {
    state: { ...state, left: state.left.slice(count) },
    lines: state.left.slice(0, count).flatMap(linesOf),
  };
}

/** The rows on the screen. */
export function rowTexts({ rows }: RollUpState): readonly string[] {
  return rows.map(row => row.words.map(word => word.text).join(' '));
}

/** As much of an uncertain tail as fits after the bottom row: showing more would move rows that may have to go back. */
export function fittingTail({ rows }: RollUpState, tail: readonly string[], columns: number): string {
  const bottom = rows.at(-1);
  let room = columns;
  if (bottom) room = isOpen(bottom, false) ? columns - bottom.width - 1 : 0;
  const over = tail.findIndex(text => {
    room -= textWidth(text);
    return room-- < 0;
  });
  return tail.slice(0, over < 0 ? tail.length : over).join(' ');
}

function addWord(state: RollUpState, word: CaptionWord, shape: RollUpShape): RollUpState {
  const pieces = cutToWidth(word.opensTurn ? SPEAKER_MARK + word.text : word.text, shape.columns);
  return pieces.reduce((next, text, index) => {
    const placed = index === 0 ? { id: word.id, text } : { text, final: '' };
    const aside = word.aside && { aside: true };
    return place(next, { ...placed, ...aside }, word.opensTurn === true && index === 0, shape);
  }, state);
}

/** Whether a word, one that stands apart or another, may follow on a row. */
function isOpen(row: Row, aside: boolean): boolean {
  return !row.isNotice && (aside || !row.words.at(-1)?.aside);
}

function place(state: RollUpState, word: Placed, onNewRow: boolean, shape: RollUpShape): RollUpState {
  const bottom = state.rows.at(-1);
  const width = textWidth(word.text);
  const fits = bottom && isOpen(bottom, word.aside === true) && bottom.width + 1 + width <= shape.columns;
  if (!fits || onNewRow) {
    return withinRows({ ...state, rows: [...state.rows, { words: [word], width }] }, shape.rows);
  }
  const longer = { words: [...bottom.words, word], width: bottom.width + 1 + width };
  return { ...state, rows: state.rows.with(-1, longer) };
}

function withinRows({ rows, left }: RollUpState, most: number): RollUpState {
  const over = Math.max(0, rows.length - most);
  return { rows: rows.slice(over), left: [...left, ...rows.slice(0, over)] };
}

const BEFORE_TURN = new RegExp(` (?=${SPEAKER_MARK})`);

/** Each turn begins a line of its own. */
function linesOf(row: Row): readonly string[] {
  const words = row.words.map(word => word.final ?? word.text).filter(text => text !== '');
  return words.length === 0 ? [] : words.join(' ').split(BEFORE_TURN);
}
