import type { DeskJobJson } from '../../../protocol/desk.ts';
import { languageName } from '../../texts.ts';

/** The relation of a person to a job of the queue. */
export type JobStanding = 'free' | 'mine' | 'taken';

/** The filter of the queue with which every job is shown: by a text, and by who has the job. */
export const NO_FILTER = { text: '', standing: 'all' as JobStanding | 'all' };

/** Returns whether a job has the text in its name, customer or language, and is one of those wanted. */
export function isShown(job: DeskJobJson, filter: typeof NO_FILTER, standing: JobStanding): boolean {
  if (filter.standing !== 'all' && filter.standing !== standing) return false;
  const text = [job.name ?? job.id, job.customer, job.language, languageName(job.language)].join('\n');
  return text.toLowerCase().includes(filter.text.trim().toLowerCase());
}

/** Returns whether a job is claimed and by whom, at `now` in milliseconds. */
export function standingOf(job: DeskJobJson, name: string, now: number): JobStanding {
  const isClaimed = job.claimed_by !== undefined && Date.parse(job.claimed_until ?? '') > now;
  if (!isClaimed) return 'free';
  return job.claimed_by === name ? 'mine' : 'taken';
}

/** Returns the jobs in the order of the queue: one's own, then rush jobs, then by age. */
export function inQueueOrder(
  jobs: readonly DeskJobJson[],
  name: string,
  now: number,
): readonly DeskJobJson[] {
  const rank = (job: DeskJobJson) => (standingOf(job, name, now) === 'mine' ? 0 : job.rush ? 1 : 2);
  return jobs.toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.created_on) - Date.parse(b.created_on));
}
