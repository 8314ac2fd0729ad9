import { type Command, Option } from 'commander';
import type { JobArea } from '../../client/jobs/areaTypes.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { GROUP } from '../help/groups.ts';
import { integerFrom } from './optionValues.ts';

/** The part of a list to print. */
export interface ListFlags {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Adds the options of commands that print lists. */
export function addListOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--limit <number>', 'maximum number of entries')
        .default(LIST_LIMIT.default)
        .argParser(integerFrom(LIST_LIMIT.min, LIST_LIMIT.max)),
    )
    .option('--starting-after <id>', 'print the entries after this one')
    .option('--all', 'print all entries, ignoring --limit')
    .option('--json', 'print JSON lines also in a terminal');
}

/** Resolves with the part of a list that the flags select. */
export async function takeList<SomeJob>(
  area: Pick<JobArea<SomeJob>, 'list' | 'listAll'>,
  { limit, startingAfter, all }: ListFlags,
): Promise<readonly SomeJob[]> {
  if (!all) return area.list({ limit, startingAfter });
  const jobs: SomeJob[] = [];
  for await (const job of area.listAll({ startingAfter })) jobs.push(job);
  return jobs;
}
