import type { Jobs, Submission } from '../../src/service/jobs/jobs.ts';
import type { Task, TaskResult } from '../../src/service/jobs/task.ts';
import type { JobRecord } from '../../src/service/store/jobRecord.ts';
import { eventually } from './eventually.ts';

export const OWNER = 'owner';

/** Default submission of a test. */
export function submission(id: string, changes: Partial<Submission> = {}): Submission {
  return { id, accountId: OWNER, type: 'async', reserveSeconds: 0, ...changes };
}

/** Waits until a job is as a test wants it. */
export async function untilJob(
  jobs: Jobs,
  id: string,
  check: (record: JobRecord | undefined) => void,
  accountId = OWNER,
): Promise<void> {
  await eventually(async () => check(await jobs.find(accountId, id)));
}

/** A task that ends when the test says so, and reports when it has begun. */
export function heldTask() {
  const begun: {
    readonly id: string;
    end(result?: Partial<TaskResult>): void;
    fail(error: unknown): void;
  }[] = [];
  const task: Task = ({ id }, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      begun.push({ id, end: result => resolve({ results: {}, ...result }), fail: reject });
    });
  return { task, begun };
}
