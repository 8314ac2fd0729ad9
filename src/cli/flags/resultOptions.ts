import { printableJson } from '../../base/text.ts';
import { columnsText } from '../print/table.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';

/** Options of commands that print a result as text or as JSON. */
export const RESULT_OPTIONS = optionGroup('Output', {
  '--format <format>': { help: 'form of the result', choices: ['text', 'json'], default: 'text' },
});

/** The option of commands that print a table in a terminal, and JSON elsewhere. */
export const JSON_OPTION = optionGroup('Output', { '--json': 'print JSON also in a terminal' });

/** Returns a result in the form that `--format` names: as JSON, or as a table. */
export function resultText(
  { format }: FlagsOf<typeof RESULT_OPTIONS>,
  value: unknown,
  ...table: Parameters<typeof columnsText>
): string {
  return format === 'json' ? jsonText(value) : columnsText(...table);
}

/** Returns a value as indented JSON with a line feed. */
export function jsonText(value: unknown): string {
  return `${printableJson(value, 2)}\n`;
}
