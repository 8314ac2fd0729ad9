import { cutToWidth, textWidth } from '../../src/transcript/text/textWidth.ts';

interface Cell {
  readonly text: string;
  readonly dim: boolean;
}

const ESCAPE = '\u001b';
const CONTROL = /^\[(\??)([\d;]*)([A-Za-z])/u;

/**
 * As much of a terminal as captions use: text that wraps late, as xterm's does, scrolling, cursor up, erasing a line, dim,
 * and the hidden cursor. Anything else throws.
 */
export class AnsiScreen {
  readonly columns: number;
  readonly rows: number;
  cursorVisible = true;
  /** Lines so far, also those that have scrolled off. */
  readonly #lines: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #dim = false;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** Lines without dim text. */
  get certain(): readonly string[] {
    return this.#written.map(line => textOf(line.filter(cell => !cell.dim)));
  }

  /** Lines of the screen. */
  get lines(): readonly string[] {
    return this.#written.map(textOf);
  }

  /** Dim text of all lines together. */
  get dim(): string {
    return textOf(this.#lines.flat().filter(cell => cell.dim));
  }

  /** Lines up to the cursor, and further ones that are not blank. */
  get #written(): readonly (readonly Cell[])[] {
    const last = this.#lines.findLastIndex(line => line.length > 0);
    return this.#lines.slice(0, Math.max(this.#row, last) + 1);
  }

  write(output: string): void {
    let rest = output;
    while (rest !== '') {
      const control = rest.startsWith(ESCAPE) ? CONTROL.exec(rest.slice(1)) : null;
      if (control) this.#obey(control[1]! + control[3]!, control[2]!);
      else if (rest[0] === '\r') this.#column = 0;
      else if (rest[0] === '\n') this.#lineFeed();
      else if (/\p{Cc}/u.test(rest[0]!)) throw new Error(`control character ${JSON.stringify(rest[0])}`);
      const text = control || rest[0] === '\r' || rest[0] === '\n' ? '' : /^[^\p{Cc}]+/u.exec(rest)![0];
      for (const character of cutToWidth(text, 1)) this.#print(character);
      rest = rest.slice(control ? 1 + control[0].length : text.length || 1);
    }
  }

  #obey(command: string, parameter: string): void {
    if (command === 'A') this.#row = Math.max(this.#top, this.#row - Number(parameter || 1));
    else if (command === 'K' && parameter === '2') this.#lines[this.#row] = [];
    else if (command === 'm' && (parameter === '2' || parameter === '22')) this.#dim = parameter === '2';
    else if ((command === '?l' || command === '?h') && parameter === '25')
      this.cursorVisible = command === '?h';
    else throw new Error(`control sequence ${parameter}${command}`);
  }

  get #top(): number {
    return Math.max(0, this.#lines.length - this.rows);
  }

  #lineFeed(): void {
    this.#row++;
    this.#lines[this.#row] ??= [];
  }

  #print(text: string): void {
    const width = textWidth(text);
    if (width === 0) return;
    if (this.#column + width > this.columns) {
      this.#lineFeed();
      this.#column = 0;
    }
    const line = this.#lines[this.#row]!;
    while (line.length < this.#column) line.push({ text: ' ', dim: false });
    line[this.#column] = { text, dim: this.#dim };
    if (width > 1) line[this.#column + 1] = { text: '', dim: this.#dim };
    this.#column += width;
  }
}

const textOf = (cells: readonly Cell[]) =>
  cells
    .map(cell => cell.text)
    .join('')
    .trimEnd();
