import { fstatSync } from 'node:fs';
import { styleText } from 'node:util';
import { namedOptions } from '../../base/namedOptions.ts';
import { oneLine } from '../../base/text.ts';
import { SPEAKER_MARK } from '../../transcript/cues/cue.ts';
import { cutToWidth, textWidth, wrapWords } from '../../transcript/text/textWidth.ts';
import { commonPrefixLength } from '../../transcript/text/tokens.ts';
import { PAUSED_NOTICE } from '../captionSteps.ts';
import type { CaptionDisplay } from '../rows/captionDisplay.ts';
import { LIVE_CAPTIONS_DEFAULTS } from '../rows/liveCaptions.ts';

export interface TerminalOutputOptions {
  /** Maximum number of columns in a row. Default 42. */
  readonly maxColumns?: number;
  /** Redraws rows in place. Default: true when the stream is a terminal that is not `dumb`. */
  readonly interactive?: boolean;
}

/** Output of live captions to a stream. */
export interface TerminalOutput extends AsyncDisposable {
  readonly kind: 'terminal' | 'file' | 'pipe';
  /** True when rows are redrawn in place; otherwise only settled lines are written. */
  readonly isInteractive: boolean;
  /** Current columns of a row, at most the width of the terminal. */
  readonly columns: number;
  show(display: CaptionDisplay): void;
  /**
   * Shows a line below the rows of a terminal, such as a status, dimmed and cut to the width; an empty one is removed. Returns
   * false for an output without redrawing, which shows no such line.
   */
  footer(text: string): boolean;
  /** Removes the rows from a terminal while `write` writes whole lines to it, such as a warning. */
  aside(write: () => void): void;
  /** Leaves the rows on the screen and shows the cursor. Resolves when everything is written; idempotent. */
  close(): Promise<void>;
}

/**
 * Writes live captions to a stream.
 *
 * On a terminal, rows are redrawn in place, with the uncertain tail dimmed (left out where the terminal has no styles). Settled
 * rows scroll up as ordinary lines, so that the scroll-back reads as the transcript. On other streams, only settled lines are
 * written, each once.
 *
 * @example
 * import { terminalOutput } from 'rxscribe';
 *
 * const output = terminalOutput(process.stdout);
 * output.show({ sequence: 1, rows: ['Good morning.'], tail: 'every', settled: [] });
 * await output.close();
 */
export function terminalOutput(stream: TerminalStream, options: TerminalOutputOptions = {}): TerminalOutput {
  namedOptions('TerminalOutputOptions', options);
  const { maxColumns = LIVE_CAPTIONS_DEFAULTS.columns, interactive = isInteractive(stream) } = options;
  const painter = interactive ? new TerminalPainter(stream) : undefined;
  let closed = false;
  const output = {
    kind: kindOf(stream),
    isInteractive: interactive,
    get columns() {
      return Math.min(maxColumns, terminalSize(stream).columns);
    },
    show(given: CaptionDisplay) {
      if (closed) return;
      const display = printableDisplay(given);
      if (painter) painter.show(display);
      else for (const line of display.settled) stream.write(`${line}\n`);
    },
    footer(text: string) {
      if (!closed) painter?.footer(oneLine(text));
      return painter !== undefined;
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

/** Returns a display whose words cannot control a terminal. */
function printableDisplay({ rows, tail, settled, ...rest }: CaptionDisplay): CaptionDisplay {
  return { ...rest, rows: rows.map(oneLine), tail: oneLine(tail), settled: settled.map(oneLine) };
}

function kindOf({ isTTY, fd }: TerminalStream): TerminalOutput['kind'] {
  if (isTTY) return 'terminal';
  return fd !== undefined && fstatSync(fd).isFile() ? 'file' : 'pipe';
}

const isInteractive = (stream: TerminalStream) => stream.isTTY === true && process.env.TERM !== 'dumb';

/** A stream for captions: a terminal, a pipe or a file. */
export interface TerminalStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** File descriptor of a stream of the process. */
  readonly fd?: number;
  /** Width of a terminal in characters; `rows` is its height. */
  readonly columns?: number;
  readonly rows?: number;
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const ERASE_LINE = '\u001b[2K';
/** Includes a carriage return, which terminals in raw mode do not add. */
const NEW_LINE = '\r\n';
const up = (lines: number) => (lines > 0 ? `\u001b[${lines}A` : '');

/**
 * Returns the sequence that erases lines, with the cursor on the last one, and moves the cursor to the start of the first. Lines
 * are erased one by one: at the top of the screen, terminals treat erasing below the cursor as clearing, and keep a copy.
 */
function erase(lines: number): string {
  if (lines === 0) return '\r';
  return `\r${up(lines - 1)}${Array(lines).fill(ERASE_LINE).join(NEW_LINE)}${up(lines - 1)}\r`;
}

/** Draws the rows of captions at the end of a terminal, and redraws only changed lines. */
class TerminalPainter {
  readonly #stream: TerminalStream;
  /** Lines on the screen; the cursor is at the end of the last. */
  #painted: readonly string[] = [];
  #display: CaptionDisplay = { sequence: 0, rows: [], tail: '', settled: [] };
  /** Last words of the settled lines that did not fit: they stand above the rows until the next settled line continues them. */
  #overflow = '';
  #footer = '';

  constructor(stream: TerminalStream) {
    this.#stream = stream;
    stream.on('resize', this.#onResize);
    process.once('exit', this.#giveCursorBack);
    stream.write(HIDE_CURSOR);
  }

  show(display: CaptionDisplay): void {
    this.#display = display;
    const { columns } = terminalSize(this.#stream);
    const { lines, overflow } = flowed(this.#overflow, display.settled, columns);
    this.#overflow = overflow;
    this.#paint(this.#lines(), lines);
  }

  footer(text: string): void {
    this.#footer = text;
    this.#paint(this.#lines(), []);
  }

  /** Removes the rows from the screen while `write` writes whole lines. */
  aside(write: () => void): void {
    this.#erase(this.#painted.length);
    write();
    this.#paint(this.#lines(), []);
  }

  /** Leaves the rows on the screen, without the tail. */
  close(): void {
    const { columns } = terminalSize(this.#stream);
    const rest = this.#overflow === '' ? [] : wrapWords(this.#overflow, columns);
    this.#overflow = '';
    this.#footer = '';
    this.#display = { ...this.#display, tail: '' };
    this.#paint(this.#lines(), rest);
    if (this.#painted.length > 0) this.#stream.write(NEW_LINE);
    this.#giveCursorBack();
    process.off('exit', this.#giveCursorBack);
    this.#stream.off('resize', this.#onResize);
  }

  readonly #giveCursorBack = (): void => {
    this.#stream.write(SHOW_CURSOR);
  };

  /** A narrower terminal wraps long lines, so more lines are above the cursor. */
  readonly #onResize = (): void => {
    const { columns } = terminalSize(this.#stream);
    const standing = this.#painted.map(line => Math.max(1, Math.ceil(textWidth(line) / columns)));
    this.#erase(standing.reduce((sum, lines) => sum + lines, 0));
    this.#paint(this.#lines(), []);
  };

  #lines(): readonly string[] {
    const { columns, rows } = terminalSize(this.#stream);
    const footer = this.#footer === '' ? [] : cutToWidth(this.#footer, columns).slice(0, 1);
    const dim = footer.map(line => styleText('dim', line, { stream: this.#stream }));
    const above = this.#overflow === '' ? [] : wrapWords(this.#overflow, columns);
    return [...above, ...linesOf(this.#display, this.#stream), ...dim].slice(-rows);
  }

  #erase(lines: number): void {
    this.#stream.write(erase(lines));
    this.#painted = [];
  }

  #paint(lines: readonly string[], settled: readonly string[]): void {
    const same = settled.length > 0 ? 0 : commonPrefixLength(this.#painted, lines);
    if (same === this.#painted.length && same === lines.length) return;
    const above = settled.map(line => line + NEW_LINE).join('');
    if (same > 0 && same === this.#painted.length) {
      this.#stream.write(NEW_LINE + lines.slice(same).join(NEW_LINE));
    } else {
      // When lines are only removed, the last remaining one is redrawn, to place the cursor after it.
      const first = Math.max(0, Math.min(same, lines.length - 1));
      this.#stream.write(erase(this.#painted.length - first) + above + lines.slice(first).join(NEW_LINE));
    }
    this.#painted = lines;
  }
}

interface Flowed {
  /** Lines that are complete. */
  readonly lines: readonly string[];
  /** Words after them, which did not fit. */
  readonly overflow: string;
}

/** Wraps settled lines: words that overflow a line continue at the front of the next one, unless that line begins anew. */
function flowed(overflow: string, settled: readonly string[], columns: number): Flowed {
  const lines: string[] = [];
  let rest = overflow;
  for (const line of settled) {
    if (rest !== '' && beginsAnew(line)) {
      lines.push(...wrapWords(rest, columns));
      rest = '';
    }
    const wrapped = wrapWords(rest === '' ? line : `${rest} ${line}`, columns);
    const isWhole = wrapped.length === 1 || isNotice(line);
    lines.push(...(isWhole ? wrapped : wrapped.slice(0, -1)));
    rest = isWhole ? '' : (wrapped.at(-1) ?? '');
  }
  return { lines, overflow: rest };
}

const isNotice = (line: string) => line !== '' && PAUSED_NOTICE.startsWith(line);
const beginsAnew = (line: string) => line.startsWith(SPEAKER_MARK) || isNotice(line);

/** Returns the size of a terminal, by default 80 by 24; terminals of unknown size report 0 by 0. */
function terminalSize({ columns, rows }: TerminalStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Returns the lines of a display that fit on the terminal. */
function linesOf({ rows, tail }: CaptionDisplay, stream: TerminalStream): readonly string[] {
  const size = terminalSize(stream);
  const lines = rows.flatMap(row => wrapWords(row, size.columns)).slice(-size.rows);
  const bottom = lines.at(-1);
  const dim = tail === '' ? '' : styleText('dim', tail, { stream });
  // A tail that cannot be dimmed is not shown, as it would look certain.
  if (dim === tail) return lines;
  if (bottom === undefined) return textWidth(tail) <= size.columns ? [dim] : [];
  return textWidth(`${bottom} ${tail}`) <= size.columns ? lines.with(-1, `${bottom} ${dim}`) : lines;
}
