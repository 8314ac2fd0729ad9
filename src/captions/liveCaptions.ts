import { EMPTY, Observable, type OperatorFunction, takeWhile } from 'rxjs';
import { type Clock, systemClock } from '../base/clock.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import type { LiveEvent } from '../transcript/model/events.ts';
import { type CaptionDisplay, type CaptionInput, initialCaptionState, nextCaptions } from './captionState.ts';
import { STABILIZER_DEFAULTS, type StabilizerOptions } from './stabilizer.ts';

export interface LiveCaptionsOptions extends StabilizerOptions {
  /** Terminal columns a row; a function is asked before each update, for screens that change. Default 42. */
  readonly columns?: number | (() => number);
  /** Rows on the screen. Default 3. */
  readonly rows?: number;
  /** The screen is cleared when nothing new was shown for so many milliseconds. Default 8000. */
  readonly clearAfterMs?: number;
  /** True while the service cannot be heard: a notice stands on the screen, which is not cleared meanwhile. */
  readonly paused$?: Observable<boolean>;
  /** Default the system's. */
  readonly clock?: Clock;
}

export const LIVE_CAPTIONS_DEFAULTS = {
  ...STABILIZER_DEFAULTS,
  columns: 42,
  rows: 3,
  clearAfterMs: 8000,
} as const satisfies LiveCaptionsOptions;

/**
 * Events of a session to live roll-up captions: a word that is shown never changes and never moves but with its row.
 *
 * A hole of a second or more, of which viewers will read nothing, shows the notice of an outage. Repairs concern the
 * past and are passed over.
 *
 * At the end, also by an error, a last display has empty rows and all that was left in `settled`: the settled lines of
 * all displays are the transcript.
 *
 * @example
 * const output = terminalOutput(process.stdout);
 * events$.pipe(liveCaptions({ columns: () => output.columns })).subscribe(display => output.show(display));
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
      // A source that emits while it is subscribed to cannot be unsubscribed from before that is over.
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
      `live captions: expected rows and columns of at least 1, found ${rows} and ${columns}`,
    );
  }
  if (!(clearAfterMs > 0)) {
    throw new InvalidArgumentError(`live captions: expected clearAfterMs above 0, found ${clearAfterMs}`);
  }
  return { ...rest, clock, paused$, columns, rows, clearAfterMs };
}
