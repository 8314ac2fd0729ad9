import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { Hole } from '../stream/fallback.ts';

/** A hole that was not repaired, and why. */
export interface UnrepairedHole {
  readonly hole: Hole;
  readonly error: unknown;
}

/** Holes to name; of more, how many. */
const MAX_NAMED = 5;

/** Parts of a transcript are missing, and no job could give them; the code is that of the first reason. */
export class HolesRemainError extends RxscribeError {
  readonly holes: readonly UnrepairedHole[];
  /** What to do about it, as one sentence. */
  readonly advice: string;

  /** @param spoolPath the file that still has the audio */
  constructor(holes: readonly [UnrepairedHole, ...UnrepairedHole[]], spoolPath?: string) {
    const [{ error }] = holes;
    const spans = holes.slice(0, MAX_NAMED).map(({ hole }) => `${hole.event.ts} to ${hole.event.endTs} s`);
    const more = holes.length > MAX_NAMED ? ` and ${holes.length - MAX_NAMED} more` : '';
    super(
      error instanceof RxscribeError ? error.code : 'unavailable',
      `repair the transcript: wanted the text of ${spans.join(', ')}${more}, found: ${messageOf(error)}`,
      { cause: error },
    );
    this.holes = holes;
    this.advice = spoolPath
      ? `The audio is kept: run 'rxscribe resume ${spoolPath}' when the reason is gone.`
      : 'Without a spool the audio of these parts is lost; see the cause.';
  }
}
