import type { CaptionStep } from '../../../../src/captions/captionStep.ts';
import { OBS_DEFAULTS } from '../../../../src/captions/outputs/obs/obsOptions.ts';
import {
  captionText,
  repaintMs,
  STREAM_SHAPE,
  stepIn608,
} from '../../../../src/captions/outputs/obs/streamCaptions.ts';
import { initialDisplayState, nextDisplay } from '../../../../src/captions/rows/captionDisplay.ts';
import { LIVE_CAPTIONS_DEFAULTS } from '../../../../src/captions/rows/liveCaptions.ts';
import type { RollUpShape, RollUpState } from '../../../../src/captions/rows/rollUp.ts';
import type { TimedStep } from './timedSteps.ts';

/** An output with rows, as its viewers see it. */
export interface Viewer {
  readonly name: string;
  readonly shape: RollUpShape;
  /** Shows the uncertain words after the rows. */
  readonly hasTail: boolean;
  /** Converts a step before it is shown. */
  readonly convert?: (step: CaptionStep) => CaptionStep;
  /** Returns the rows that the output can show at once. */
  readonly visibleRows?: (rows: readonly string[]) => readonly string[];
  /** Returns the milliseconds that a display occupies the output; it is visible at their end. Default 0. */
  readonly busyMs?: (rows: readonly string[]) => number;
}

const { columns, rows } = LIVE_CAPTIONS_DEFAULTS;

/** The outputs that show rows, with their default shapes. */
export const VIEWERS: readonly Viewer[] = [
  { name: 'terminal, page', shape: { columns, rows }, hasTail: true },
  {
    name: 'OBS source',
    shape: { columns: OBS_DEFAULTS.columns, rows: OBS_DEFAULTS.rows },
    hasTail: false,
  },
  {
    name: 'OBS stream',
    shape: STREAM_SHAPE,
    hasTail: false,
    convert: stepIn608,
    visibleRows: shown => captionText(shown).split('\n').filter(Boolean),
    busyMs: shown => repaintMs(shown.join('\n')),
  },
];

/** A word on the screen, and its place there. */
export interface ViewedWord {
  readonly id: number;
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** The screen of a viewer from a time on. */
export interface ViewedDisplay {
  readonly atMs: number;
  readonly rows: readonly string[];
  readonly tail: readonly string[];
  readonly words: readonly ViewedWord[];
}

/** Returns the screens that a viewer saw, in order. A busy output skips all but the latest. */
export function viewedDisplays(steps: readonly TimedStep[], viewer: Viewer): readonly ViewedDisplay[] {
  const { visibleRows = same, busyMs = () => 0, convert = same } = viewer;
  const seen: ViewedDisplay[] = [];
  let state = initialDisplayState;
  let latest: ViewedDisplay = { atMs: 0, rows: [], tail: [], words: [] };
  let pending: ViewedDisplay | undefined;
  let freeAtMs = Number.NEGATIVE_INFINITY;
  const show = (display: ViewedDisplay, atMs: number) => {
    freeAtMs = atMs + busyMs(display.rows);
    seen.push({ ...display, atMs: freeAtMs });
    pending = undefined;
  };
  for (const { atMs, step } of steps) {
    // Recordings end right after their last word, which a live screen shows until it is cleared.
    if (step.type === 'end') continue;
    if (pending && freeAtMs <= atMs) show(pending, freeAtMs);
    state = nextDisplay(state, convert(step), viewer.shape);
    const { display, rollUp } = state;
    const shown = visibleRows(display.rows);
    const words = wordsOf(rollUp.rows.slice(rollUp.rows.length - shown.length));
    const tail = viewer.hasTail && display.tail !== '' ? display.tail.split(' ') : [];
    const next = { atMs, rows: shown, tail, words };
    if (isSame(latest, next)) continue;
    latest = next;
    if (freeAtMs <= atMs) show(next, atMs);
    else pending = next;
  }
  if (pending) show(pending, freeAtMs);
  return seen;
}

function wordsOf(rows: RollUpState['rows']): readonly ViewedWord[] {
  return rows.flatMap(({ words }, row) => {
    let column = 0;
    return words.flatMap(({ id, text }) => {
      const placed = { text, row, column };
      column += text.length + 1;
      return id === undefined ? [] : [{ id, ...placed }];
    });
  });
}

const same = <T>(value: T): T => value;

function isSame(one: ViewedDisplay, other: ViewedDisplay): boolean {
  return one.rows.join('\n') === other.rows.join('\n') && one.tail.join(' ') === other.tail.join(' ');
}
