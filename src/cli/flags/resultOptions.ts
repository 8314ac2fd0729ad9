import { type Command, Option } from 'commander';
import { printableJson } from '../../base/text.ts';
import { GROUP } from '../help/groups.ts';

export interface ResultFlags {
  readonly format: 'text' | 'json';
}

/** Adds the options of commands that print a result as text or as JSON. */
export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--format <format>', 'form of the result').choices(['text', 'json']).default('text'),
    );
}

/** Returns a value as indented JSON with a line feed. */
export function jsonText(value: unknown): string {
  return `${printableJson(value, 2)}\n`;
}
