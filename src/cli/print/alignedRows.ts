import { textWidth } from '../../transcript/text/textWidth.ts';

const GAP = '  ';

/** Rows in columns for a terminal: so many on the left of their columns, figures after them on the right of theirs. */
export function alignedRows(rows: readonly (readonly string[])[], onTheLeft = 1): readonly string[] {
  const widths = columnWidths(rows);
  return rows.map(row =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - textWidth(cell));
        return column < onTheLeft ? cell + space : space + cell;
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** Rows whose columns do not fit into a width as several tables that do, each with the first column. */
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
