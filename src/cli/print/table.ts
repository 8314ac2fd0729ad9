import { styleText } from 'node:util';
import { oneLine, printableJson } from '../../base/text.ts';
import { textWidth } from '../../transcript/text/textWidth.ts';
import type { Output } from '../context.ts';

const GAP = '  ';

export type Cell = string | number | undefined;

/** A column of a table of records: its title, and the cell of a record. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => Cell];

export interface RecordsOptions<Row> {
  /** Prints JSON also in a terminal. */
  readonly json?: boolean;
  /** Returns the JSON of a record. Default: the record itself. */
  readonly encode?: (row: Row) => unknown;
}

/** Prints records: a table in a terminal, one JSON object a line for other programs. */
export function printRecords<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { json, encode = row => row }: RecordsOptions<Row> = {},
): void {
  if (json || !output.isTTY) {
    for (const row of rows) output.write(`${printableJson(encode(row))}\n`);
    return;
  }
  const titles = columns.map(([title]) => title);
  const cells = rows.map(row => columns.map(([, cell]) => cell(row)));
  output.write(columnsText(titles, cells, output));
}

/** Returns rows in columns under their titles for a terminal; for other programs, values separated by tabs, without titles. */
export function columnsText(
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  output: Output,
): string {
  const cells = rows.map(row => row.map(value => oneLine(String(value ?? ''))));
  if (!output.isTTY) return linesText(cells.map(row => row.join('\t')));
  const [head = '', ...lines] = alignedRows([titles, ...cells], titles.length);
  return linesText([styleText('dim', head, { stream: output }), ...lines]);
}

/** Returns each row as a line of aligned columns: the first `leftColumns` to the left, the others to the right. */
export function alignedRows(rows: readonly (readonly string[])[], leftColumns = 1): readonly string[] {
  const widths = columnWidths(rows);
  return rows.map(row =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - textWidth(cell));
        return column < leftColumns ? cell + space : space + cell;
      })
      .join(GAP)
      .trimEnd(),
  );
}

/**
 * Returns aligned rows in as many tables as fit the width of the output, each with the first column.
 *
 * @param style returns a line as it is shown, by the index of its row
 */
export function partsText(
  rows: readonly (readonly string[])[],
  output: Output,
  style: (line: string, index: number) => string = line => line,
): string {
  const parts = rowsInParts(rows, output.columns ?? Number.POSITIVE_INFINITY);
  return parts.map(part => linesText(alignedRows(part).map(style))).join('\n');
}

/** Splits a table that is wider than `width` into several tables that fit, each with the first column. */
export function rowsInParts(
  rows: readonly (readonly string[])[],
  width: number,
): readonly (readonly (readonly string[])[])[] {
  const [first = 0, ...others] = columnWidths(rows);
  const ends: number[] = [];
  let used = first;
  for (const [index, needed] of others.entries()) {
    used += GAP.length + needed;
    if (used <= width || used === first + GAP.length + needed) continue;
    ends.push(index + 1);
    used = first + GAP.length + needed;
  }
  const starts = [1, ...ends];
  return starts.map((start, part) =>
    rows.map(row => [...row.slice(0, 1), ...row.slice(start, starts[part + 1])]),
  );
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[column] ?? '')), 0),
  );
}

/** Returns lines as a text that ends with a line feed. */
export function linesText(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
