import { type OperatorFunction, pipe } from 'rxjs';
import { refuseIf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import type { LiveEvent } from '../../transcript/model/events.ts';
import { CAPTION_STEP_DEFAULTS, type CaptionStepOptions, captionSteps } from '../captionSteps.ts';
import { type CaptionDisplay, captionDisplays } from './captionDisplay.ts';

/** Options of {@link liveCaptions}. */
export interface LiveCaptionsOptions extends CaptionStepOptions {
  /** Columns in a row; a function is called before each update, for screens that change. Default 42. */
  readonly columns?: number | (() => number);
  /** Rows on the screen. Default 3. */
  readonly rows?: number;
}

/** Defaults of {@link LiveCaptionsOptions}. */
export const LIVE_CAPTIONS_DEFAULTS = {
  ...CAPTION_STEP_DEFAULTS,
  columns: 42,
  rows: 3,
} as const satisfies LiveCaptionsOptions;

/**
 * Converts the events of a session to live roll-up captions. A shown word never changes, and moves only with its row; words are
 * shown once several partials agree on them. Wrong last words are corrected by appending the right ones.
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
  namedOptions('LiveCaptionsOptions', options);
  const { columns = LIVE_CAPTIONS_DEFAULTS.columns, rows = LIVE_CAPTIONS_DEFAULTS.rows, ...rest } = options;
  const isSize = (value: number) => Number.isInteger(value) && value > 0;
  refuseIf(
    !isSize(rows) || (typeof columns === 'number' && !isSize(columns)),
    `Options 'rows' and 'columns' must be integers above 0, not ${rows} and ${columns}.`,
  );
  const columnsNow = () => (typeof columns === 'function' ? columns() : columns);
  return pipe(
    captionSteps(rest),
    captionDisplays(() => ({ rows, columns: columnsNow() })),
  );
}
