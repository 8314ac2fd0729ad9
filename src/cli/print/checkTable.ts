import { styleText } from 'node:util';
import { oneLine } from '../../base/text.ts';
import type { Output } from '../context.ts';

/** The outcome of a check, for a person. */
export interface CheckRow {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'missing';
  readonly text: string;
}

const SIGNS = {
  passed: ['✔', 'green'],
  failed: ['✘', 'red'],
  /** Failed, but not required. */
  missing: ['✘', 'yellow'],
} as const;

/** Prints checks, one a line. */
export function printChecks(output: Output, rows: readonly CheckRow[], indent = ''): void {
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2;
  for (const { name, result, text } of rows) {
    const [sign, colour] = SIGNS[result];
    const mark = styleText(colour, sign, { stream: output });
    output.write(`${indent}${mark} ${name.padEnd(width)}${oneLine(text)}\n`);
  }
}
