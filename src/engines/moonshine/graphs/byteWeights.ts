/** Weights of a product as unsigned bytes: each stands for `(byte - zero) * scale`. */
export interface ByteWeights {
  /** Row by row: a row for each input. */
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly columns: number;
  /** One for all columns, or one for each. */
  readonly scales: Float32Array;
  readonly zeros: Uint8Array;
}

/** Joins weights for the same input. */
export function sideBySide(parts: readonly ByteWeights[]): ByteWeights {
  const rows = parts[0]!.rows;
  const columns = parts.reduce((sum, part) => sum + part.columns, 0);
  const bytes = new Uint8Array(rows * columns);
  const scales = new Float32Array(columns);
  const zeros = new Uint8Array(columns);
  let from = 0;
  for (const part of parts) {
    for (let row = 0; row < rows; row++) {
      bytes.set(part.bytes.subarray(row * part.columns, (row + 1) * part.columns), row * columns + from);
    }
    scales.fill(part.scales[0]!, from, from + part.columns);
    zeros.fill(part.zeros[0]!, from, from + part.columns);
    from += part.columns;
  }
  return { bytes, rows, columns, scales, zeros };
}

/** Exchanges rows and columns. */
export function transposed({ bytes, rows, columns, ...others }: ByteWeights): ByteWeights {
  const turned = new Uint8Array(bytes.length);
  // By blocks of rows, which stay in the processor's cache.
  for (let from = 0; from < rows; from += 64) {
    const to = Math.min(rows, from + 64);
    for (let column = 0; column < columns; column++) {
      for (let row = from; row < to; row++) turned[column * rows + row] = bytes[row * columns + column]!;
    }
  }
  return { ...others, bytes: turned, rows: columns, columns: rows };
}

/** Returns the length of a head in the cache: `GroupQueryAttention` wants a multiple of 16. */
export function paddedHead(headSize: number): number {
  return Math.ceil(headSize / 16) * 16;
}

/** Appends columns that give 0 to those of each head. */
export function paddedColumns(weights: ByteWeights, headSize: number): ByteWeights {
  const heads = weights.columns / headSize;
  const size = paddedHead(headSize);
  const columns = heads * size;
  const bytes = new Uint8Array(weights.rows * columns).fill(weights.zeros[0]!);
  for (let head = 0; head < weights.rows * heads; head++) {
    bytes.set(weights.bytes.subarray(head * headSize, (head + 1) * headSize), head * size);
  }
  return { ...weights, bytes, columns };
}

/** Appends rows that add 0 to those of each head. */
export function paddedRows(weights: ByteWeights, headSize: number): ByteWeights {
  const heads = weights.rows / headSize;
  const from = headSize * weights.columns;
  const to = paddedHead(headSize) * weights.columns;
  const bytes = new Uint8Array(heads * to).fill(weights.zeros[0]!);
  for (let head = 0; head < heads; head++) {
    bytes.set(weights.bytes.subarray(head * from, (head + 1) * from), head * to);
  }
  return { ...weights, bytes, rows: heads * paddedHead(headSize) };
}
