import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { openJobStore } from '../../helpers/jobStore.ts';

/** Milliseconds for background work after a start. */
const AFTER_MS = 5000;

/** Measures a start with many ended jobs in the store, each with a result. */
export async function startWith(dataDirectory: string, count: number) {
  const tasks = { async: async () => ({ results: {} }) };
  {
    await using service = openJobStore({ dataDirectory }, { tasks });
    await service.accounts.initialToken;
    await fillStore(service, dataDirectory, count);
  }
  const start = performance.now();
  await using service = openJobStore({ dataDirectory }, { tasks });
  await service.store.opened;
  const openMs = performance.now() - start;
  await service.jobs.submit({ id: 'first', accountId: 'owner', type: 'async', reserveSeconds: 1 });
  const takenMs = performance.now() - start;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await setTimeout(AFTER_MS);
  const listStart = performance.now();
  await service.jobs.list('owner', { types: ['async'], limit: 100 });
  return {
    'jobs in the store': count,
    'database open (ms)': Math.round(openMs),
    'first job taken (ms)': Math.round(takenMs),
    'longest pause after it (ms)': Math.round(delays.max / 1e6),
    'a list of 100 (ms)': Math.round(performance.now() - listStart),
  };
}

/** Adds ended jobs, each with a result. */
async function fillStore(
  { store }: ReturnType<typeof openJobStore>,
  dataDirectory: string,
  count: number,
): Promise<void> {
  const { db } = await store.opened;
  await sql`
    insert into jobs (id, account_id, type, status, created_on, completed_on, metadata, options, duration_seconds,
      retention_seconds, delete_at, attempts)
    select 'job' || n, 'owner', 'async', 'done', now() - n * interval '1 second', now(), 'metadata of job ' || n,
      '{"source_config": {"url": "https://example.com/media.mp3"}}', 60, 2592000, now() + interval '30 days', 1
    from generate_series(1, ${count}) n`.execute(db);
  // The service does this every hour.
  await sql`analyze`.execute(db);
  for (let at = 1; at <= count; at++) {
    const directory = join(dataDirectory, 'objects', 'jobs', `job${at}`, 'results');
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'transcript'), '{}');
  }
}
