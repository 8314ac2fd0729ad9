import { textWidth } from '../transcript/textWidth.ts';

const GAP = '  ';

/** Rows in columns: the first cell on the left of its column, figures on the right of theirs. */
export function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map(row => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[column] ?? '')), 0),
  );
  return rows.map(row =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - textWidth(cell));
        return column === 0 ? cell + space : space + cell;
      })
      .join(GAP)
      .trimEnd(),
  );
}
