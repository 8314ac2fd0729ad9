import { type Command, Option } from 'commander';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { GROUP } from '../help/groups.ts';
import { integerFrom } from './optionValues.ts';

/** Which part of a list is printed, and how. */
export interface ListFlags {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The options of commands that print lists. */
export function addListOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--limit <number>', 'how many at most')
        .default(LIST_LIMIT.default)
        .argParser(integerFrom(LIST_LIMIT.min, LIST_LIMIT.max)),
    )
    .option('--starting-after <id>', 'the one before those to print')
    .option('--all', 'print all, also beyond the limit')
    .option('--json', 'print JSON lines also in a terminal');
}
