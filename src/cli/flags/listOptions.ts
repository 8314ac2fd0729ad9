import type { JobArea } from '../../client/jobs/areaTypes.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { integerFrom } from './optionValues.ts';

/** Options of commands that print lists. */
export const LIST_OPTIONS = optionGroup('Output', {
  '--limit <number>': {
    help: 'maximum number of entries',
    default: LIST_LIMIT.default,
    parse: integerFrom(LIST_LIMIT.min, LIST_LIMIT.max),
  },
  '--starting-after <id>': 'print the entries after this one',
  '--all': 'print all entries, ignoring --limit',
  '--json': 'print JSON lines also in a terminal',
});

/** Resolves with the part of a list that the flags select. */
export async function takeList<SomeJob>(
  area: Pick<JobArea<SomeJob>, 'list' | 'listAll'>,
  { limit, startingAfter, all }: FlagsOf<typeof LIST_OPTIONS>,
): Promise<readonly SomeJob[]> {
  if (!all) return area.list({ limit, startingAfter });
  const jobs: SomeJob[] = [];
  for await (const job of area.listAll({ startingAfter })) jobs.push(job);
  return jobs;
}
