import { namedOptions } from '../../base/namedOptions.ts';
import { type CaptionStep, isKept } from '../captionStep.ts';
import { initialDisplayState, nextDisplay } from '../rows/captionDisplay.ts';
import { LIVE_CAPTIONS_DEFAULTS } from '../rows/liveCaptions.ts';
import type { CaptionOutput } from './captionOutput.ts';
import type { TerminalOutput } from './terminalOutput.ts';

export interface TerminalCaptionsOptions {
  /** Rows on the screen. Default 3. */
  readonly rows?: number;
  /** Name of the source before each line, where several sources share an output. */
  readonly label?: string;
}

/**
 * Shows live captions on a terminal, or writes their complete lines to another stream.
 *
 * @example
 * const output = terminalCaptions(terminalOutput(process.stdout), { rows: 2 });
 * events$.pipe(captionSteps()).subscribe(step => output.take(step));
 */
export function terminalCaptions(
  terminal: TerminalOutput,
  options: TerminalCaptionsOptions = {},
): CaptionOutput {
  const { rows = LIVE_CAPTIONS_DEFAULTS.rows, label } = namedOptions('TerminalCaptionsOptions', options);
  const prefix = label === undefined ? '' : `${label}: `;
  let state = initialDisplayState;
  let shown = 0;
  const take = (step: CaptionStep) => {
    const before = state.display;
    const columns = Math.max(1, terminal.columns - prefix.length);
    state = nextDisplay(state, step, { columns, rows });
    const { display } = state;
    if (display === before) return;
    shown++;
    terminal.show({ ...display, settled: display.settled.map(line => prefix + line) });
  };
  return {
    name: 'terminal',
    title: terminal.kind,
    take,
    /** The rows of a terminal were read; lines that are not settled were not. */
    retract(step) {
      if (!terminal.isInteractive) take(step);
      return !terminal.isInteractive && isKept(state.rollUp.settledTs, step);
    },
    report: () => ({ shown, skipped: 0, failures: 0 }),
    close: () => terminal.close(),
  };
}
