import { SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import { cutToWidth, textWidth } from '../../transcript/text/textWidth.ts';
import { isKept, type RetractStep } from '../captionStep.ts';
import { type CaptionWord, turnMark } from '../words/captionWord.ts';

export interface RollUpShape {
  /** Columns in a row. */
  readonly columns: number;
  /** Rows on the screen. */
  readonly rows: number;
}

/** A word on a row. */
interface Placed {
  readonly id?: number;
  readonly text: string;
  /** Start of its speech in seconds of the audio. */
  readonly ts?: number | undefined;
  /** Wording in the transcript, once known. */
  readonly final?: string;
}

interface Row {
  readonly words: readonly Placed[];
  readonly width: number;
  /** True for a notice, to which nothing is appended. */
  readonly isNotice?: boolean;
}

/** The rows of roll-up captions. */
export interface RollUpState {
  /** Rows on the screen, from top to bottom. */
  readonly rows: readonly Row[];
  /** Rows that left the screen and are not settled, oldest first. */
  readonly left: readonly Row[];
  /** Start of the speech of the last settled word, in seconds of the audio. Default: none is settled. */
  readonly settledTs?: number | undefined;
}

export const emptyRollUp: RollUpState = { rows: [], left: [] };

/** Removes the text that is taken back, as far as it is not settled. */
export function removeWords({ rows, left, ...rest }: RollUpState, step: RetractStep): RollUpState {
  const kept = (all: readonly Row[]) =>
    all.flatMap(row => {
      const words = row.words.filter(({ ts }) => isKept(ts, step));
      const width = words.reduce((sum, { text }) => sum + textWidth(text) + 1, -1);
      return words.length === row.words.length ? [row] : words.length === 0 ? [] : [{ words, width }];
    });
  return { ...rest, rows: kept(rows), left: kept(left) };
}

/** Returns the start of the speech of the last word on the screen, in seconds of the audio; undefined without one. */
export const lastTs = ({ rows }: RollUpState) =>
  rows.flatMap(({ words }) => words).findLast(({ ts }) => ts !== undefined)?.ts;

/**
 * Appends words to the bottom row; when it is full, whole rows move up. A word on the screen never changes. Corrections of words
 * that have left the screen are skipped; a word wider than a row is cut.
 */
export function addWords(state: RollUpState, words: readonly CaptionWord[], shape: RollUpShape): RollUpState {
  const seen = new Set(state.rows.flatMap(row => row.words.map(word => word.id)));
  return words
    .filter(({ corrects }) => corrects === undefined || seen.has(corrects))
    .reduce((next, word) => addWord(next, word, shape), state);
}

/** Appends a notice on rows of its own; later words begin a new row. */
export function addNotice(state: RollUpState, text: string, shape: RollUpShape): RollUpState {
  const pieces = text.split(' ').flatMap(word => cutToWidth(word, shape.columns));
  const { rows, ...rest } = pieces.reduce(
    (next, text, index) => place(next, { text, final: text }, index === 0, shape),
    state,
  );
  return {
    ...rest,
    rows: rows.map((row, index) => (index === rows.length - 1 ? { ...row, isNotice: true } : row)),
  };
}

/** Returns whether the bottom row is a notice. */
export function endsInNotice({ rows }: RollUpState): boolean {
  return rows.at(-1)?.isNotice === true;
}

/** Clears the screen. */
export function clearRows({ rows, left, ...rest }: RollUpState): RollUpState {
  return { ...rest, rows: [], left: [...left, ...rows] };
}

/** Sets the wording of words in the transcript, by id. */
export function setWording(state: RollUpState, wording: ReadonlyMap<number, string>): RollUpState {
  if (wording.size === 0) return state;
  const reworded = (row: Row): Row => ({
    ...row,
    words: row.words.map(word => {
      const final = word.id === undefined ? undefined : wording.get(word.id);
      return final === undefined ? word : { ...word, final };
    }),
  });
  return { ...state, rows: state.rows.map(reworded), left: state.left.map(reworded) };
}

/**
 * Removes and returns the rows that have left the screen and are final, in the wording of the transcript, in order.
 *
 * @param all includes rows whose words never became final, as shown
 */
export function takeSettled(
  state: RollUpState,
  { all = false }: { readonly all?: boolean } = {},
): { readonly state: RollUpState; readonly lines: readonly string[] } {
  const unsettled = all ? -1 : state.left.findIndex(row => row.words.some(word => word.final === undefined));
  const count = unsettled < 0 ? state.left.length : unsettled;
  if (count === 0) return { state, lines: [] };
  const settled = state.left.slice(0, count);
  const settledTs = lastTs({ rows: settled, left: [] }) ?? state.settledTs;
  return { state: { ...state, settledTs, left: state.left.slice(count) }, lines: settled.flatMap(linesOf) };
}

/** Returns the rows on the screen as text. */
export function rowTexts({ rows }: RollUpState): readonly string[] {
  return rows.map(row => row.words.map(word => word.text).join(' '));
}

/** Returns the part of the tail that fits on the bottom row: a longer tail would move rows that might have to move back. */
export function fittingTail({ rows }: RollUpState, tail: readonly string[], columns: number): string {
  const bottom = rows.at(-1);
  let room = columns;
  if (bottom) room = bottom.isNotice ? 0 : columns - bottom.width - 1;
  const over = tail.findIndex(text => {
    room -= textWidth(text);
    return room-- < 0;
  });
  return tail.slice(0, over < 0 ? tail.length : over).join(' ');
}

function addWord(state: RollUpState, word: CaptionWord, shape: RollUpShape): RollUpState {
  const marked = turnMark(word) + word.text;
  const parts = textWidth(marked) > shape.columns ? marked.split(' ') : [marked];
  const pieces = parts.flatMap(part => cutToWidth(part, shape.columns));
  return pieces.reduce((next, text, index) => {
    const placed = index === 0 ? { id: word.id, text, ts: word.ts } : { text, ts: word.ts, final: '' };
    return place(next, placed, index === 0 && Boolean(word.opensTurn || word.opensParagraph), shape);
  }, state);
}

function place(state: RollUpState, word: Placed, onNewRow: boolean, shape: RollUpShape): RollUpState {
  const bottom = state.rows.at(-1);
  const width = textWidth(word.text);
  const fits = bottom && !bottom.isNotice && bottom.width + 1 + width <= shape.columns;
  if (!fits || onNewRow) {
    return withinRows({ ...state, rows: [...state.rows, { words: [word], width }] }, shape.rows);
  }
  const longer = { words: [...bottom.words, word], width: bottom.width + 1 + width };
  return { ...state, rows: state.rows.with(-1, longer) };
}

function withinRows({ rows, left, ...rest }: RollUpState, most: number): RollUpState {
  const over = Math.max(0, rows.length - most);
  return { ...rest, rows: rows.slice(over), left: [...left, ...rows.slice(0, over)] };
}

const BEFORE_TURN = new RegExp(` (?=${SPEAKER_MARK})`);

/** Returns the lines of a row; each turn begins a new line. */
function linesOf(row: Row): readonly string[] {
  const words = row.words.map(word => word.final ?? word.text).filter(text => text !== '');
  return words.length === 0 ? [] : words.join(' ').split(BEFORE_TURN);
}
