import { styleText } from 'node:util';
import { textWidth, wrapWords } from '../transcript/text/textWidth.ts';
import type { CaptionDisplay } from './captionState.ts';
import { LIVE_CAPTIONS_DEFAULTS } from './liveCaptions.ts';

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

/** Where captions are written: a terminal, a pipe or a file. */
export interface TerminalStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Size of a terminal in characters. */
  readonly columns?: number;
  readonly rows?: number;
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const ERASE_LINE = '\u001b[2K';
/** Terminals in raw mode do not return the carriage themselves. */
const NEW_LINE = '\r\n';
const up = (lines: number) => (lines > 0 ? `\u001b[${lines}A` : '');

/**
 * Erases so many lines, of which the cursor is on the last, and puts it at the start of the first. Line by line:
 * terminals take erasing all below the cursor for clearing the screen where it is at the top, and keep a copy.
 */
function erase(lines: number): string {
  if (lines === 0) return '\r';
  return `\r${up(lines - 1)}${Array(lines).fill(ERASE_LINE).join(NEW_LINE)}${up(lines - 1)}\r`;
}

/** Draws the rows of captions at the end of what a terminal shows, and redraws only the lines that change. */
export class TerminalPainter {
  readonly #stream: TerminalStream;
  /** What stands on the screen, line by line; the cursor is at the end of the last. */
  #painted: readonly string[] = [];
  #display: CaptionDisplay = { sequence: 0, rows: [], tail: '', settled: [] };

  constructor(stream: TerminalStream) {
    this.#stream = stream;
    stream.on('resize', this.#onResize);
    process.once('exit', this.#giveCursorBack);
    stream.write(HIDE_CURSOR);
  }

  show(display: CaptionDisplay): void {
    this.#display = display;
    const { columns } = terminalSize(this.#stream);
    const settled = display.settled.flatMap(line => wrapWords(line, columns));
    this.#paint(linesOf(display, this.#stream), settled);
  }

  /** Takes the rows off the screen while something else writes whole lines. */
  aside(write: () => void): void {
    this.#erase(this.#painted.length);
    write();
    this.#paint(linesOf(this.#display, this.#stream), []);
  }

  /** Leaves the rows as they stand, without the tail. */
  close(): void {
    this.#paint(linesOf({ ...this.#display, tail: '' }, this.#stream), []);
    if (this.#painted.length > 0) this.#stream.write(NEW_LINE);
    this.#giveCursorBack();
    process.off('exit', this.#giveCursorBack);
    this.#stream.off('resize', this.#onResize);
  }

  readonly #giveCursorBack = (): void => {
    this.#stream.write(SHOW_CURSOR);
  };

  /** Terminals wrap lines that have become too long: more of them stand above the cursor. */
  readonly #onResize = (): void => {
    const { columns } = terminalSize(this.#stream);
    const standing = this.#painted.map(line => Math.max(1, Math.ceil(textWidth(line) / columns)));
    this.#erase(standing.reduce((sum, lines) => sum + lines, 0));
    this.#paint(linesOf(this.#display, this.#stream), []);
  };

  #erase(lines: number): void {
    this.#stream.write(erase(lines));
    this.#painted = [];
  }

  #paint(lines: readonly string[], settled: readonly string[]): void {
    const same = settled.length > 0 ? 0 : sameLines(this.#painted, lines);
    if (same === this.#painted.length && same === lines.length) return;
    const above = settled.map(line => line + NEW_LINE).join('');
    if (same > 0 && same === this.#painted.length) {
      this.#stream.write(NEW_LINE + lines.slice(same).join(NEW_LINE));
    } else {
      // When lines only go, the last one to stay is drawn again: the cursor has to end up after it.
      const first = Math.max(0, Math.min(same, lines.length - 1));
      this.#stream.write(erase(this.#painted.length - first) + above + lines.slice(first).join(NEW_LINE));
    }
    this.#painted = lines;
  }
}

/** The size of a terminal, also of one that nobody has told it: such say 0 by 0. */
export function terminalSize({ columns, rows }: TerminalStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

function sameLines(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}

/** The lines of a display as far as the terminal has room for them. */
function linesOf({ rows, tail }: CaptionDisplay, stream: TerminalStream): readonly string[] {
  const size = terminalSize(stream);
  const lines = rows.flatMap(row => wrapWords(row, size.columns)).slice(-size.rows);
  const bottom = lines.at(-1);
  const dim = tail === '' ? '' : styleText('dim', tail, { stream });
  // A tail that cannot be told from what is certain is not shown.
  if (dim === tail) return lines;
  if (bottom === undefined) return textWidth(tail) <= size.columns ? [dim] : [];
  return textWidth(`${bottom} ${tail}`) <= size.columns ? lines.with(-1, `${bottom} ${dim}`) : lines;
}
