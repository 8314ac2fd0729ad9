import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../../../src/base/clock.ts';
import { INITIAL_BALANCE_SECONDS } from '../../../../src/service/accounts/accounts.ts';
import { OWNER_ID } from '../../../../src/service/accounts/firstAccount.ts';
import { readResult } from '../../../../src/service/jobs/jobResults.ts';
import { removeOldLeftovers } from '../../../../src/service/jobs/leftovers.ts';
import { openStore } from '../../../../src/service/store/store.ts';
import { collect } from '../../../helpers/collect.ts';
import type { Installation } from './installation.ts';
import type { AcceptedJob, Receiver } from './jobs.ts';

/** Milliseconds for an installation to end all that it has begun, once nothing fails any more. */
const SETTLE_MS = 420_000;

/** Faults of a store at rest. All numbers but the first of each group are 0 in a sound one. */
export interface Audit {
  readonly [what: string]: number;
}

/** Waits until nothing is in progress, and compares the store with the answers that clients got. */
export async function audit(
  installation: Installation,
  accepted: readonly AcceptedJob[],
  { received, attempts }: Receiver,
  options: { readonly directory: string; readonly shortLived: readonly AcceptedJob[] },
): Promise<Audit> {
  const client = new pg.Client({ connectionString: installation.databaseUrl });
  await client.connect();
  const count = async (query: string) => Number((await client.query(query)).rows[0].count);
  const inProgress = async () => ({
    'jobs in progress': await count(`select count(*) from jobs where status = 'in_progress'`),
    'entries of queues': await count('select count(*) from queue.job'),
    'pending notifications': await count('select count(*) from deliveries'),
    'streams counted': await count('select count(*) from streams'),
  });
  const endsAt = performance.now() + SETTLE_MS;
  while (performance.now() < endsAt && Object.values(await inProgress()).some(left => left > 0)) {
    await setTimeout(1000);
  }
  const { rows: jobs } = await client.query(
    `select id, type, status, duration_seconds, account_id from jobs where type <> 'stream'`,
  );
  const { rows: accounts } = await client.query('select id, balance_seconds, reserved_seconds from accounts');
  const left = await inProgress();
  const jobIds = (await client.query('select id from jobs')).rows.map(({ id }): string => id);
  await client.end();
  const byId = new Map(jobs.map(job => [job.id, job]));
  const store = openStore({
    dataDirectory: options.directory,
    databaseUrl: installation.databaseUrl,
    objects: installation.place,
    clock: systemClock,
    onError: () => {},
  });
  try {
    const open = await store.opened;
    const { objects } = open;
    // As each hour: input whose submission was cut off.
    await removeOldLeftovers(open, {
      ...systemClock,
      wallTime: () => systemClock.wallTime() + 2 * 3_600_000,
    });
    const results = new Map<string, string | undefined>();
    for (const { id } of accepted) results.set(id, await readResult(open, id, 'transcript'));
    const owner = accounts.find(({ id }) => id === OWNER_ID);
    const done = jobs.filter(({ status, account_id }) => status === 'done' && account_id === OWNER_ID);
    const cost = done.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0);
    const kept = new Set(jobIds);
    const withoutJob = (ids: readonly string[]) => ids.filter(id => !kept.has(id)).length;
    return {
      'jobs accepted': accepted.length,
      'accepted jobs that are missing': accepted.filter(({ id }) => !byId.has(id)).length,
      'jobs that failed': jobs.filter(({ status }) => status === 'failed').length,
      'jobs with other words': accepted.filter(
        ({ id, words }) => wordsOf(results.get(id)) !== words.join(' '),
      ).length,
      'jobs with another duration': accepted.filter(
        ({ id, seconds }) => Math.abs((byId.get(id)?.duration_seconds ?? -1) - seconds) > 0.01,
      ).length,
      'short-lived jobs that are kept': options.shortLived.filter(({ id }) => byId.has(id)).length,
      'jobs without a notification': [...accepted, ...options.shortLived].filter(
        ({ id }) => !received.has(id),
      ).length,
      'jobs with notifications of several ids': [...attempts.values()].filter(ids => new Set(ids).size > 1)
        .length,
      'seconds of credit too much or too little': round(
        INITIAL_BALANCE_SECONDS - owner.balance_seconds - cost,
      ),
      'seconds of credit still held': accounts.reduce((sum, row) => sum + row.reserved_seconds, 0),
      'input objects left after the next sweep': (await collect(objects.names('submitted'))).length,
      'results without a job': withoutJob(await collect(objects.names('jobs'))),
      ...left,
    };
  } finally {
    await store.close();
  }
}

function wordsOf(result: string | undefined): string | undefined {
  if (result === undefined) return undefined;
  return [...result.matchAll(/"value":"(w\d+)"/gi)].map(([, word]) => word!.toLowerCase()).join(' ');
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
