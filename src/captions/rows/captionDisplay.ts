import { dequal } from 'dequal/lite';
import { distinctUntilChanged, map, type OperatorFunction, pipe, scan, skip, startWith } from 'rxjs';
import type { CaptionStep } from '../captionStep.ts';
import {
  addNotice,
  addWords,
  clearRows,
  emptyRollUp,
  endsInNotice,
  fittingTail,
  type RollUpShape,
  type RollUpState,
  removeWords,
  rowTexts,
  setWording,
  takeSettled,
} from './rollUp.ts';

/** The complete display at one moment, independent of earlier ones. */
export interface CaptionDisplay {
  /** Number of the display, counted from 1 without gaps. */
  readonly sequence: number;
  /** Rows from top to bottom. Words are only appended to the bottom row, and whole rows move up. */
  readonly rows: readonly string[];
  /** Uncertain words after the bottom row; empty when there are none. */
  readonly tail: string;
  /** Rows that left the screen and became final since the previous display, in the wording of the transcript. */
  readonly settled: readonly string[];
}

/** Rows on the screen, and the display that shows them. */
export interface DisplayState {
  readonly rollUp: RollUpState;
  readonly display: CaptionDisplay;
}

/** An empty screen. */
export const initialDisplayState: DisplayState = {
  rollUp: emptyRollUp,
  display: { sequence: 0, rows: [], tail: '', settled: [] },
};

/**
 * Applies a step to the rows. Pure; `display` is the same object when it does not change.
 *
 * @example
 * const added = ['Good', 'morning.'].map((text, id) => ({ id, text }));
 * const step = { type: 'words' as const, added, tail: [], wording: new Map() };
 * nextDisplay(initialDisplayState, step, { columns: 8, rows: 2 }).display.rows; // ['Good', 'morning.']
 */
export function nextDisplay(state: DisplayState, step: CaptionStep, shape: RollUpShape): DisplayState {
  const { rollUp } = state;
  switch (step.type) {
    case 'words': {
      const next = setWording(addWords(rollUp, step.added, shape), step.wording);
      return shown(state, next, { tail: fittingTail(next, step.tail, shape.columns) });
    }
    case 'notice':
      return endsInNotice(rollUp) ? state : shown(state, addNotice(rollUp, step.text, shape));
    case 'clear':
      return shown(state, clearRows(rollUp));
    case 'off':
      return shown(state, emptyRollUp);
    case 'retract':
      return shown(state, removeWords(rollUp, step));
    case 'end':
      return shown(state, clearRows(rollUp), { all: true });
    default:
      return state;
  }
}

/**
 * Converts steps to the displays of roll-up captions; a shape that is a function is called before each step.
 *
 * @example
 * const displays$ = events$.pipe(captionSteps(), captionDisplays({ columns: 42, rows: 3 }));
 * displays$.subscribe(({ rows, tail }) => console.log([...rows, tail].join('\n')));
 */
export function captionDisplays(
  shape: RollUpShape | (() => RollUpShape),
): OperatorFunction<CaptionStep, CaptionDisplay> {
  return pipe(
    scan(
      (state: DisplayState, step: CaptionStep) =>
        nextDisplay(state, step, typeof shape === 'function' ? shape() : shape),
      initialDisplayState,
    ),
    map(({ display }) => display),
    startWith(initialDisplayState.display),
    distinctUntilChanged(),
    skip(1),
  );
}

function shown(
  { display: before }: DisplayState,
  after: RollUpState,
  { tail = '', all = false }: { readonly tail?: string; readonly all?: boolean } = {},
): DisplayState {
  const { state: rollUp, lines } = takeSettled(after, { all });
  const rows = rowTexts(rollUp);
  const isSame = lines.length === 0 && before.tail === tail && dequal(before.rows, rows);
  const display = isSame ? before : { sequence: before.sequence + 1, rows, tail, settled: lines };
  return { rollUp, display };
}
