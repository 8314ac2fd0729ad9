import { type Command, Option } from 'commander';
import { GROUP } from '../help/groups.ts';

/** In which form a result is printed. */
export interface ResultFlags {
  readonly format: 'text' | 'json';
}

/** The options of commands whose result is more than a text. */
export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.output)
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'));
}

/** A value as the service gave it, for other programs. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
