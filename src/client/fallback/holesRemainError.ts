import { messageOf, RxscribeError } from '../../base/errors.ts';
import { resumeLine } from '../spool/resumeLine.ts';
import type { Hole } from '../stream/fallback.ts';

/** A hole that was not repaired, and why. */
export interface UnrepairedHole {
  readonly hole: Hole;
  readonly error: unknown;
}

/** The file that still has the audio. */
export interface SpoolPlace {
  readonly path: string;
  /** Where the command line finds the key with which it is encrypted. */
  readonly keyFile?: string;
}

/** Holes to name; of more, how many. */
const MAX_NAMED = 5;

/** Parts of a transcript are missing, and no job could give them; the code is that of the first reason. */
export class HolesRemainError extends RxscribeError {
  readonly holes: readonly [UnrepairedHole, ...UnrepairedHole[]];
  /** Absent where the audio is lost. */
  readonly spool?: SpoolPlace;
  /** What to do about it. */
  readonly advice: string;

  constructor(holes: readonly [UnrepairedHole, ...UnrepairedHole[]], spool?: SpoolPlace) {
    const [{ error }] = holes;
    const spans = holes.slice(0, MAX_NAMED).map(({ hole }) => `${hole.event.ts} to ${hole.event.endTs} s`);
    const more = holes.length > MAX_NAMED ? ` and ${holes.length - MAX_NAMED} more` : '';
    super(
      error instanceof RxscribeError ? error.code : 'unavailable',
      `repair the transcript: wanted the text of ${spans.join(', ')}${more}, found: ${messageOf(error)}`,
      { cause: error },
    );
    this.holes = holes;
    if (spool) this.spool = spool;
    this.advice = spool
      ? `The audio is kept. When the reason is gone, run: ${resumeLine(spool.path, spool)}`
      : 'Without a spool the audio of these parts is lost; see the cause.';
  }
}

/** The same error with advice that names the file of the key, which only the command line knows; any other as it is. */
export function withKeyFile(error: unknown, keyFile: string | undefined): unknown {
  if (!(error instanceof HolesRemainError) || !error.spool || keyFile === undefined) return error;
  return new HolesRemainError(error.holes, { ...error.spool, keyFile });
}
