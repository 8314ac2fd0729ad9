import { styleText } from 'node:util';
import { oneLine } from '../base/oneLine.ts';
import { textWidth } from '../transcript/textWidth.ts';

export type Cell = string | number | undefined;

const GAP = '  ';

/** Rows in columns under their titles for a terminal; for other programs values between tabs, without titles. */
export function columns(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  output: NodeJS.WriteStream = process.stdout,
): string {
  const cells = rows.map(row => row.map(cellText));
  if (!output.isTTY) return linesText(cells.map(row => row.join('\t')));
  const widths = titles.map((title, index) =>
    Math.max(...[title, ...cells.map(row => row[index]!)].map(textWidth)),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, index) => cell + ' '.repeat(widths[index]! - textWidth(cell)))
      .join(GAP)
      .trimEnd();
  return linesText([styleText('dim', lineOf(titles), { stream: output }), ...cells.map(lineOf)]);
}

/** Writes {@link columns}. */
export function writeColumns(
  output: NodeJS.WriteStream,
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  output.write(columns(titles, rows, output));
}

function cellText(value: Cell): string {
  return oneLine(String(value ?? ''));
}

function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
