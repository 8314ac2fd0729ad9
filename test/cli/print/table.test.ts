import { expect, test } from 'vitest';
import { alignedRows, rowsInParts } from '../../../src/cli/print/table.ts';

const ROWS = [
  ['file', 'WER', 'CER', 'coverage'],
  ['talk', '3.00 %', '1.00 %', '100.00 %'],
  ['lost', 'failed'],
];

test('names stand on the left, figures on the right', () => {
  expect(alignedRows(ROWS)).toEqual([
    'file     WER     CER  coverage',
    'talk  3.00 %  1.00 %  100.00 %',
    'lost  failed',
  ]);
  expect(alignedRows(ROWS, 4)[0]).toBe('file  WER     CER     coverage');
});

test('a table that is too wide becomes several narrow ones, all with the names', () => {
  expect(rowsInParts(ROWS, 20).map(part => alignedRows(part))).toEqual([
    ['file     WER     CER', 'talk  3.00 %  1.00 %', 'lost  failed'],
    ['file  coverage', 'talk  100.00 %', 'lost'],
  ]);
  expect(rowsInParts(ROWS, 80)).toEqual([ROWS]);
  // A column that fits nowhere stands alone.
  expect(rowsInParts(ROWS, 3)).toHaveLength(3);
});
