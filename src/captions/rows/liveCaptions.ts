import { EMPTY, Observable, type OperatorFunction, takeWhile } from 'rxjs';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, requirePositive } from '../../base/errors.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { STABILIZER_DEFAULTS, type StabilizerOptions } from '../words/agreement.ts';
import {
  type CaptionDisplay,
  type CaptionInput,
  initialCaptionState,
  nextCaptions,
} from './captionDisplay.ts';

/** Options of {@link liveCaptions}. */
export interface LiveCaptionsOptions extends StabilizerOptions {
  /** Columns in a row; a function is called before each update, for screens that change. Default 42. */
  readonly columns?: number | (() => number);
  /** Rows on the screen. Default 3. */
  readonly rows?: number;
  /** Milliseconds without new words after which the screen is cleared. Default 8000. */
  readonly clearAfterMs?: number;
  /** True during an outage: a notice is shown, and the screen is not cleared. */
  readonly paused$?: Observable<boolean>;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link LiveCaptionsOptions}. */
export const LIVE_CAPTIONS_DEFAULTS = {
  ...STABILIZER_DEFAULTS,
  columns: 42,
  rows: 3,
  clearAfterMs: 8000,
} as const satisfies LiveCaptionsOptions;

/**
 * Converts the events of a session to live roll-up captions. A shown word never changes, and moves only with its row; words are
 * shown once several partials agree on them. Wrong words are corrected by appending the correct ones.
 *
 * A hole of a second or more shows the notice of an outage. Repairs concern the past and are ignored.
 *
 * At the end, also after an error, the last display has no rows and the remaining lines in `settled`: the settled lines of all
 * displays are the transcript.
 *
 * @throws InvalidArgumentError for rows or columns below 1, or a `clearAfterMs` that is not above 0
 * @example
 * import { chunk, liveCaptions, microphone, terminalOutput, transcribe } from 'rxscribe';
 *
 * const output = terminalOutput(process.stdout);
 * microphone()
 *   .pipe(
 *     chunk(),
 *     transcribe({ url: 'ws://127.0.0.1:8080', token: 'secret' }),
 *     liveCaptions({ columns: () => output.columns }),
 *   )
 *   .subscribe(display => output.show(display));
 */
export function liveCaptions(options: LiveCaptionsOptions = {}): OperatorFunction<LiveEvent, CaptionDisplay> {
  const { columns, rows, clearAfterMs, paused$, clock, ...stabilizer } = checked(options);
  const settingsNow = () => ({
    ...stabilizer,
    rows,
    columns: typeof columns === 'function' ? columns() : columns,
  });
  return events$ =>
    new Observable(subscriber => {
      let state = initialCaptionState;
      let cancelClearing = () => {};

      const take = (input: CaptionInput) => {
        const before = state;
        state = nextCaptions(state, input, settingsNow());
        const changed = state.display !== before.display;
        if (changed || state.paused !== before.paused) awaitSilence();
        if (changed) subscriber.next(state.display);
      };
      const awaitSilence = () => {
        cancelClearing();
        const { rows, tail } = state.display;
        if (state.paused || (rows.length === 0 && tail === '')) return;
        cancelClearing = clock.schedule(clearAfterMs, () => take({ type: 'quiet' }));
      };
      const fail = (error: unknown) => {
        take({ type: 'end' });
        subscriber.error(error);
      };
      // A source that emits synchronously during subscribe() cannot be unsubscribed before it returns.
      const isOpen = () => !subscriber.closed;

      subscriber.add(() => cancelClearing());
      subscriber.add(
        paused$.pipe(takeWhile(isOpen)).subscribe({
          next: paused => take({ type: 'paused', paused }),
          error: fail,
        }),
      );
      subscriber.add(
        events$.pipe(takeWhile(isOpen)).subscribe({
          next: take,
          error: fail,
          complete: () => {
            take({ type: 'end' });
            subscriber.complete();
          },
        }),
      );
    });
}

function checked(options: LiveCaptionsOptions) {
  const { clock = systemClock, paused$ = EMPTY, ...rest } = options;
  const { columns = LIVE_CAPTIONS_DEFAULTS.columns, rows = LIVE_CAPTIONS_DEFAULTS.rows } = rest;
  const { clearAfterMs = LIVE_CAPTIONS_DEFAULTS.clearAfterMs } = rest;
  const isSize = (value: number) => Number.isInteger(value) && value > 0;
  if (!isSize(rows) || (typeof columns === 'number' && !isSize(columns))) {
    throw new InvalidArgumentError(
      `Options 'rows' and 'columns' must be integers above 0, not ${rows} and ${columns}.`,
    );
  }
  requirePositive('clearAfterMs', clearAfterMs);
  return { ...rest, clock, paused$, columns, rows, clearAfterMs };
}
