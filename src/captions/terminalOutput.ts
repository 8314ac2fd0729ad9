import type { CaptionDisplay } from './captionState.ts';
import { LIVE_CAPTIONS_DEFAULTS } from './liveCaptions.ts';
import { TerminalPainter, type TerminalStream, terminalSize } from './terminalPainter.ts';

export interface TerminalOutputOptions {
  /** Most columns of a row. Default as in {@link LIVE_CAPTIONS_DEFAULTS}: 42. */
  readonly maxColumns?: number;
  /** Whether rows are drawn and redrawn in place. Default: when the stream is a terminal that is not `dumb`. */
  readonly interactive?: boolean;
}

/** Live captions on a stream. */
export interface TerminalOutput extends AsyncDisposable {
  /** Columns that a row may have now: the terminal's own, where it is narrow. */
  readonly columns: number;
  show(display: CaptionDisplay): void;
  /** Takes the rows off a terminal while something else writes whole lines to it, such as a warning. */
  aside(write: () => void): void;
  /** Leaves the rows as they stand, and gives the cursor back. Resolves when all is written; idempotent. */
  close(): Promise<void>;
}

/**
 * Shows live captions on a stream.
 *
 * On a terminal the rows are redrawn in place, with the uncertain tail dim (not at all where the terminal shows no
 * styles); rows that were settled stand above as ordinary lines, so that scrolling back reads as the transcript.
 * Elsewhere only settled lines are written, each once.
 *
 * @example
 * await using output = terminalOutput(process.stdout);
 * await events$.pipe(liveCaptions({ columns: () => output.columns })).forEach(display => output.show(display));
 */
export function terminalOutput(stream: TerminalStream, options: TerminalOutputOptions = {}): TerminalOutput {
  const { maxColumns = LIVE_CAPTIONS_DEFAULTS.columns, interactive = isInteractive(stream) } = options;
  const painter = interactive ? new TerminalPainter(stream) : undefined;
  let closed = false;
  const output = {
    get columns() {
      return Math.min(maxColumns, terminalSize(stream).columns);
    },
    show(display: CaptionDisplay) {
      if (closed) return;
      if (painter) painter.show(display);
      else for (const line of display.settled) stream.write(`${line}\n`);
    },
    aside(write: () => void) {
      if (painter && !closed) painter.aside(write);
      else write();
    },
    async close() {
      if (!closed) painter?.close();
      closed = true;
      await new Promise<void>(resolve => {
        stream.write('', () => resolve());
      });
    },
    [Symbol.asyncDispose]: () => output.close(),
  };
  return output;
}

const isInteractive = (stream: TerminalStream) => stream.isTTY === true && process.env.TERM !== 'dumb';
