import { writeColumns } from './columns.ts';

/** A column of a table: its title, and what stands below. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => string | number | undefined];

export interface RecordsOptions<Row> {
  /** JSON also in a terminal. */
  readonly json?: boolean;
  /** What is printed as JSON. Default: the record itself. */
  readonly encode?: (row: Row) => unknown;
  readonly output?: NodeJS.WriteStream;
}

/** Prints records: a table in a terminal, one JSON object a line for other programs. */
export function printRecords<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { json, encode = row => row, output = process.stdout }: RecordsOptions<Row> = {},
): void {
  if (json || !output.isTTY) {
    for (const row of rows) output.write(`${JSON.stringify(encode(row))}\n`);
    return;
  }
  writeColumns(
    output,
    columns.map(([title]) => title),
    rows.map(row => columns.map(([, cell]) => cell(row))),
  );
}
