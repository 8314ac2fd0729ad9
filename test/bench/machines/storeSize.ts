import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/service/store/tables.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { quantile } from '../../helpers/quantile.ts';
import { OWNER, submission } from '../../helpers/scriptedTasks.ts';
import { scratchDirectory } from '../parts/scratch.ts';

const SIZES = [100, 10_000, 1_000_000];
const SAMPLES = 200;
const PAGE = { types: ['async'], limit: 100 };

/**
 * Measures submitting, listing and taking jobs on a PostgreSQL server with more and more jobs of one account that have ended,
 * and with as many of others that wait for a worker.
 */
export async function run(): Promise<void> {
  const programs = postgresPrograms();
  if (!programs) throw new Error('wanted PostgreSQL, found none (apt-get install postgresql)');
  await using server = await startPostgres(programs);
  for (const kind of ['ended', 'waiting'] as const) {
    console.log(
      `Milliseconds (p50, p95 of ${SAMPLES}), next to so many jobs that have ${kind === 'ended' ? 'ended' : 'not begun'}:`,
    );
    const rows: Record<string, object> = {};
    for (const size of SIZES) rows[size] = await measure(server, kind, size);
    console.table(rows);
  }
}

async function measure(server: PostgresServer, kind: 'ended' | 'waiting', size: number) {
  await using scratch = await scratchDirectory();
  const place = { dataDirectory: scratch.path, databaseUrl: await server.createDatabase() };
  let begun = Promise.withResolvers<void>();
  await using service = openJobStore(place, {
    tasks: {
      async async() {
        begun.resolve();
        return { results: {} };
      },
    },
  });
  const { db } = await service.store.opened;
  await service.jobs.find(OWNER, 'nothing');
  await fill(db, kind, size);
  // Comes before all that wait.
  const submit = (id: string) => service.jobs.submit(submission(id, { reserveSeconds: 1 }));
  const times = {
    submit: [] as number[],
    take: [] as number[],
    list: [] as number[],
    'list from the middle': [] as number[],
  };
  const middle = kind === 'ended' ? `filled${Math.floor(size / 2)}` : undefined;
  for (let index = 0; index < SAMPLES; index++) {
    begun = Promise.withResolvers();
    const startMs = performance.now();
    await submit(`job${index}`);
    times.submit.push(performance.now() - startMs);
    await begun.promise;
    times.take.push(performance.now() - startMs);
    times.list.push(await timed(() => service.jobs.list(OWNER, PAGE)));
    if (middle)
      times['list from the middle'].push(
        await timed(() => service.jobs.list(OWNER, { ...PAGE, startingAfter: middle })),
      );
  }
  return Object.fromEntries(
    Object.entries(times)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [
        name,
        `${quantile(values, 0.5).toFixed(1)}, ${quantile(values, 0.95).toFixed(1)}`,
      ]),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** Adds jobs of the owner that have ended, or jobs of another account that wait behind all others. */
async function fill(db: Kysely<Tables>, kind: 'ended' | 'waiting', size: number): Promise<void> {
  const all = sql`generate_series(1, ${size}) as number`;
  if (kind === 'ended') {
    await sql`
      insert into jobs (id, account_id, type, status, created_on, completed_on, delete_at, duration_seconds, retention_seconds)
      select 'filled' || number, ${OWNER}, 'async', 'done', now() - number * interval '1 second', now(),
        now() + interval '20 days', 60, 2592000
      from ${all}`.execute(db);
  } else {
    await sql`insert into accounts (id, email, balance_seconds, created_on) values ('other', 'other', 0, now())`.execute(
      db,
    );
    await sql`
      insert into jobs (id, account_id, type, status, created_on, retention_seconds, turn)
      select 'filled' || number, 'other', 'async', 'in_progress', now(), 2592000, 1000000 + number from ${all}`.execute(
      db,
    );
    await sql`
      insert into queue.job (name, data, priority, singleton_key, policy, retry_limit, expire_seconds)
      select 'jobs', jsonb_build_object('id', 'filled' || number), -1000000 - number, 'filled' || number, 'standard', 1000000, 86400
      from ${all}`.execute(db);
  }
  await sql`analyze`.execute(db);
}
