import type { JobArea } from '../../client/jobs/jobArea.ts';
import type { ListFlags } from './listOptions.ts';

/** As much of a list as the flags ask for. */
export async function takeList<SomeJob>(
  area: Pick<JobArea<SomeJob>, 'list' | 'listAll'>,
  { limit, startingAfter, all }: ListFlags,
): Promise<readonly SomeJob[]> {
  if (!all) return area.list({ limit, startingAfter });
  const jobs: SomeJob[] = [];
  for await (const job of area.listAll({ startingAfter })) jobs.push(job);
  return jobs;
}
