import type { Cue } from '../../cues/cue.ts';
import { ERASE, loadUnits, SCC_SHAPE, type SccUnit, SHOW, sccRows } from './sccCaption.ts';
import { frameAt } from './sccTime.ts';

/** Pairs of bytes that are sent one a frame, from a frame on. */
export interface SccLine {
  readonly frame: number;
  readonly pairs: readonly number[];
}

/** A caption in frames. */
interface SccCue {
  readonly start: number;
  readonly end: number;
  readonly rows: readonly string[];
}

/** Least frames on the screen, where captions are denser than the channel can carry. */
const LEAST_FRAMES = 15;

export interface SccSchedule {
  readonly lines: readonly SccLine[];
  /** Number of captions that could not be loaded before their end. */
  readonly dropped: number;
}

interface Schedule extends SccSchedule {
  readonly lines: SccLine[];
  dropped: number;
  /** First frame without codes. */
  free: number;
  /** Frame at which the shown caption is erased; undefined when there is none. */
  erase?: number;
}

/**
 * Returns the codes of captions: each is loaded before its start, at one pair a frame, and shown at its start. Codes never overlap:
 * a caption that cannot be loaded before its start is shown late, and dropped if it cannot be before its end, so that it does not
 * delay those behind it.
 *
 * @param firstFrame first frame that may have codes
 */
export function sccSchedule(
  cues: readonly Cue[],
  { firstFrame = 0 }: { readonly firstFrame?: number } = {},
): SccSchedule {
  const schedule: Schedule = { lines: [], dropped: 0, free: firstFrame };
  for (const cue of cues.flatMap(sccCues)) addCaption(schedule, cue);
  if (schedule.erase !== undefined) addLine(schedule, schedule.erase, ERASE);
  return schedule;
}

function addCaption(schedule: Schedule, { start: wanted, end, rows }: SccCue): void {
  const { erase = Number.POSITIVE_INFINITY, free } = schedule;
  const load = loadUnits(rows);
  const length = lengthOf(load);
  const earliest = Math.max(wanted, free + length);
  const erasesBefore = erase + ERASE.length <= earliest - length;
  const erasesWithin = !erasesBefore && erase < earliest;
  const start = erasesWithin ? Math.max(earliest, free + length + ERASE.length) : earliest;
  if (start > wanted && start >= end) {
    schedule.dropped++;
    return;
  }
  if (erasesBefore) addLine(schedule, erase, ERASE);
  const units = erasesWithin ? withErase(load, erase - (start - length - ERASE.length)) : load;
  addLine(schedule, start - lengthOf(units), [...units.flat(), ...SHOW]);
  schedule.erase = Math.max(end, start + LEAST_FRAMES);
}

/** Inserts the code that erases the caption on the screen at a frame of the load, or at the next one between two units. */
function withErase(load: readonly SccUnit[], frame: number): readonly SccUnit[] {
  let passed = 0;
  const found = load.findIndex(unit => {
    if (passed >= frame) return true;
    passed += unit.length;
    return false;
  });
  return load.toSpliced(found < 0 ? load.length : found, 0, ERASE);
}

function addLine(schedule: Schedule, frame: number, pairs: readonly number[]): void {
  schedule.lines.push({ frame, pairs });
  schedule.free = frame + pairs.length;
}

const lengthOf = (units: readonly SccUnit[]) => units.reduce((sum, unit) => sum + unit.length, 0);

/** Returns a cue as captions of at most four rows, which share its time by their rows. */
function sccCues({ ts, endTs, lines }: Cue): readonly SccCue[] {
  const rows = sccRows(lines);
  const seconds = (endTs - ts) / Math.max(1, rows.length);
  const captions: SccCue[] = [];
  for (let at = 0; at < rows.length; at += SCC_SHAPE.rows) {
    const until = Math.min(rows.length, at + SCC_SHAPE.rows);
    const times = { start: frameAt(ts + at * seconds), end: frameAt(ts + until * seconds) };
    captions.push({ ...times, rows: rows.slice(at, until) });
  }
  return captions;
}
