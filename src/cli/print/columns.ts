import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import { alignedRows } from './alignedRows.ts';

export type Cell = string | number | undefined;

/** Rows in columns under their titles for a terminal; for other programs values between tabs, without titles. */
export function columns(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  output: NodeJS.WriteStream = process.stdout,
): string {
  const cells = rows.map(row => row.map(cellText));
  if (!output.isTTY) return linesText(cells.map(row => row.join('\t')));
  const [head = '', ...lines] = alignedRows([titles, ...cells], titles.length);
  return linesText([styleText('dim', head, { stream: output }), ...lines]);
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
