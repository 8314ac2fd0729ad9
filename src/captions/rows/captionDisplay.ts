import type { HoleEvent, LiveEvent } from '../../transcript/model/events.ts';
import type { StabilizerOptions } from '../words/agreement.ts';
import { initialStabilizerState, isPast, type StabilizerState, stabilize } from '../words/stabilizer.ts';
import {
  addNotice,
  addWords,
  clearRows,
  emptyRollUp,
  endsInNotice,
  fittingTail,
  type RollUpShape,
  type RollUpState,
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

/** Notice for an outage, and for speech without text. */
export const PAUSED_NOTICE = '[captions paused]';

export type CaptionInput =
  | LiveEvent
  /** Sent after some time without new words. */
  | { readonly type: 'quiet' }
  | { readonly type: 'paused'; readonly paused: boolean }
  | { readonly type: 'end' };

export interface CaptionState {
  readonly stabilizer: StabilizerState;
  readonly rollUp: RollUpState;
  readonly paused: boolean;
  readonly display: CaptionDisplay;
}

export const initialCaptionState: CaptionState = {
  stabilizer: initialStabilizerState,
  rollUp: emptyRollUp,
  paused: false,
  display: { sequence: 0, rows: [], tail: '', settled: [] },
};

/** Adds an input to the captions. Pure; `display` is the same object when it does not change. */
export function nextCaptions(
  state: CaptionState,
  input: CaptionInput,
  options: RollUpShape & StabilizerOptions,
): CaptionState {
  switch (input.type) {
    case 'hole':
      return onHole(state, input, options);
    case 'quiet':
      return shown({ ...state, rollUp: clearRows(state.rollUp) }, []);
    case 'end':
      return shown({ ...state, rollUp: clearRows(state.rollUp) }, [], { all: true });
    case 'paused':
      return onPaused(state, input.paused, options);
    default:
      return onEvent(state, input, options);
  }
}

function onEvent(
  state: CaptionState,
  event: LiveEvent,
  options: RollUpShape & StabilizerOptions,
): CaptionState {
  const { state: stabilizer, added, tail, wording } = stabilize(state.stabilizer, event, options);
  if (stabilizer === state.stabilizer) return state;
  const rollUp = setWording(addWords(state.rollUp, added, options), wording);
  return shown({ ...state, stabilizer, rollUp }, tail, options);
}

function onPaused(state: CaptionState, paused: boolean, shape: RollUpShape): CaptionState {
  if (paused === state.paused) return state;
  const next = { ...state, paused };
  return paused && !endsInNotice(state.rollUp) ? shown(withNotice(next, shape), []) : next;
}

/** Least duration of a hole with a notice; in a shorter one, such as an overrun of a microphone, hardly a word is missing. */
const LEAST_NOTICED_SECONDS = 1;

/** A hole before the last shown word has no notice, as it is in the past. */
function onHole(
  state: CaptionState,
  hole: HoleEvent,
  options: RollUpShape & StabilizerOptions,
): CaptionState {
  if (isPast(state.stabilizer, hole)) return state;
  const { state: stabilizer, tail, wording } = stabilize(state.stabilizer, hole, options);
  const next = { ...state, stabilizer, rollUp: setWording(state.rollUp, wording) };
  const isBrief = hole.endTs - hole.ts < LEAST_NOTICED_SECONDS;
  return isBrief || endsInNotice(next.rollUp)
    ? shown(next, tail, options)
    : shown(withNotice(next, options), []);
}

function withNotice(state: CaptionState, shape: RollUpShape): CaptionState {
  return { ...state, rollUp: addNotice(state.rollUp, PAUSED_NOTICE, shape) };
}

function shown(
  state: CaptionState,
  tail: readonly string[],
  { columns = 0, all = false }: { readonly columns?: number; readonly all?: boolean } = {},
): CaptionState {
  const { state: rollUp, lines } = takeSettled(state.rollUp, { all });
  const before = state.display;
  const display: CaptionDisplay = {
    sequence: before.sequence + 1,
    rows: rowTexts(rollUp),
    tail: tail.length === 0 ? '' : fittingTail(rollUp, tail, columns),
    settled: lines,
  };
  return { ...state, rollUp, display: isSame(before, display) ? before : display };
}

function isSame(before: CaptionDisplay, after: CaptionDisplay): boolean {
  return (
    after.settled.length === 0 &&
    before.tail === after.tail &&
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index])
  );
}
