import type { Hypothesis } from './hypothesis.ts';
import { FRAMES_PER_POSITION } from './model.ts';

/** Width of the median filter over the attention, as in openai/whisper's timing.py. */
const MEDIAN_POSITIONS = 7;

/**
 * Returns the frame at which each token begins, first the known ones, and finally the frame at which the last one ends, since
 * the start of the audio; never decreasing.
 *
 * Follows Whisper (`find_alignment` in timing.py): the attention of some heads is normalised over the tokens
 * and smoothed by a median; the cheapest monotonic path through it gives the times.
 */
export function tokenFrames({ attention, positions, tokens, known }: Hypothesis): readonly number[] {
  const rows = known + tokens.length + 1;
  // A truncated result has no row for the token after its end.
  const decoded = Math.min(rows, attention[0]?.length ?? 0);
  const cost = new Float32Array(decoded * positions);
  for (const head of attention) subtractHead(cost, head.slice(0, decoded), positions);
  const firsts = cheapestPath(cost, decoded, positions);
  return Array.from({ length: rows }, (_, row) => (firsts[row] ?? positions) * FRAMES_PER_POSITION);
}

/** Subtracts the smoothed attention of a head from the cost. */
function subtractHead(cost: Float32Array, rows: readonly Float32Array[], positions: number): void {
  const normal = rows.map(row => row.slice());
  for (let position = 0; position < positions; position++) {
    let sum = 0;
    let squares = 0;
    for (const row of rows) {
      sum += row[position]!;
      squares += row[position]! ** 2;
    }
    const mean = sum / rows.length;
    const deviation = Math.sqrt(Math.max(1e-12, squares / rows.length - mean * mean));
    for (const row of normal) row[position] = (row[position]! - mean) / deviation;
  }
  for (const [index, row] of normal.entries()) {
    const smooth = medians(row);
    for (let position = 0; position < positions; position++)
      cost[index * positions + position]! -= smooth[position]!;
  }
}

function medians(row: Float32Array): Float32Array {
  const half = MEDIAN_POSITIONS >> 1;
  const last = row.length - 1;
  const window = new Float32Array(MEDIAN_POSITIONS);
  return row.map((_, position) => {
    for (let count = 0; count < MEDIAN_POSITIONS; count++) {
      // Mirrored at both ends.
      const mirrored = last - Math.abs(last - Math.abs(position + count - half));
      insert(window, count, row[Math.max(0, mirrored)]!);
    }
    return window[half]!;
  });
}

/** Inserts a value into the first `count` sorted values. */
function insert(sorted: Float32Array, count: number, value: number): void {
  let at = count;
  for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
  sorted[at] = value;
}

const [DIAGONAL, DOWN, RIGHT] = [0, 1, 2];

/**
 * Returns the first position of each row on the cheapest path from the first row and position to the last.
 */
function cheapestPath(cost: Float32Array, rows: number, positions: number): Int32Array {
  const width = positions + 1;
  const total = new Float64Array((rows + 1) * width).fill(Infinity);
  const came = new Int8Array((rows + 1) * width);
  total[0] = 0;
  for (let row = 1; row <= rows; row++) {
    for (let position = 1; position <= positions; position++) {
      const at = row * width + position;
      let least = total[at - width - 1]!;
      let from = DIAGONAL!;
      if (total[at - width]! < least) [least, from] = [total[at - width]!, DOWN!];
      if (total[at - 1]! < least) [least, from] = [total[at - 1]!, RIGHT!];
      total[at] = least + cost[(row - 1) * positions + position - 1]!;
      came[at] = from;
    }
  }
  const firsts = new Int32Array(rows);
  for (let row = rows, position = positions; row > 0 && position > 0; ) {
    firsts[row - 1] = position - 1;
    const from = came[row * width + position];
    if (from !== RIGHT) row--;
    if (from !== DOWN) position--;
  }
  return firsts;
}
