// @module-tag tools

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Tables } from '../../../src/service/store/tables.ts';
import { STORE_RETRY_MS } from '../../../src/service/store/untilReachable.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { databasePlace } from '../../helpers/postgresServer.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';

const { locate, start } = serverBackend();

describe('a database server that goes away', () => {
  test('makes the service refuse jobs, which go on without loss when it is back', async context => {
    const server = await start(context);
    const held = heldTask();
    const errors: unknown[] = [];
    await using service = openJobStore(await locate(context), {
      tasks: { async: held.task },
      onError: error => errors.push(error),
    });
    const { jobs } = service;
    await jobs.submit(submission('running', { reserveSeconds: 2 }));
    await jobs.submit(submission('queued'));
    const stream = jobs.start({ id: 'stream', accountId: OWNER, type: 'stream' });
    await jobs.find(OWNER, 'stream');
    await eventually(() => expect(held.begun.length).toBe(1));

    await server.stop();
    const refused = jobs.submit(submission('refused', { input: { a: 1 } }));
    await expect(refused).rejects.toMatchObject({ name: 'RxscribeError', code: 'store' });
    await expect(jobs.find(OWNER, 'running')).rejects.toThrow(RxscribeError);
    held.begun[0]!.end({ durationSeconds: 1.5, results: { transcript: 'as it was' } });
    stream.end({ status: 'done' }, { transcript: 'heard meanwhile' });
    await eventually(() => expect(errors.length).toBeGreaterThan(0));

    await server.start();
    await eventually(() => expect(held.begun.length).toBe(2));
    held.begun[1]!.end({ durationSeconds: 1.5 });
    for (const id of ['running', 'queued', 'stream']) {
      await untilJob(jobs, id, job => expect(job?.status).toBe('done'));
    }
    expect(await jobs.result('running', 'transcript')).toBe('as it was');
    expect(await jobs.result('stream', 'transcript')).toBe('heard meanwhile');
    expect(held.begun.map(({ id }) => id)).toEqual(['running', 'queued']);
    expect(await jobs.find(OWNER, 'refused')).toBeUndefined();
    const { db } = await service.store.opened;
    const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    expect([account.balanceSeconds, account.reservedSeconds]).toEqual([1_000_000_000 - 3, 0]);
  });

  test('does not end a service in the middle of a transaction', async context => {
    const server = await start(context);
    await using service = openJobStore(await locate(context), { onError: () => {} });
    await service.accounts.initialToken;
    const { db } = await service.store.opened;
    const interrupted = db.transaction().execute(async trx => {
      await trx.selectFrom('accounts').select('id').execute();
      await server.stop();
      await trx.selectFrom('accounts').select('id').execute();
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'store' });
    await server.start();
    expect(await db.selectFrom('accounts').select('id').execute()).toEqual([{ id: OWNER }]);
  });
});

async function queueConnections(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name like 'pgboss%'
  `.execute(db);
  return rows[0]!.count;
}

test('jobs that cannot be opened leave no queue behind, and open when the fault is gone', async context => {
  const place = await locate(context);
  const clock = new VirtualClock();
  const before = openJobStore(place, { clock });
  await before.jobs.find(OWNER, 'none');
  /** The queue calls the function when it is open already. */
  const rename = async (from: string, to: string) => {
    const { db } = await before.store.opened;
    await sql`alter function queue.${sql.id(from)} rename to ${sql.id(to)}`.execute(db);
  };
  await before.jobs.close();
  await rename('create_queue', 'hidden');
  const errors: unknown[] = [];
  await using service = openJobStore(place, { clock, onError: error => errors.push(error) });
  for (let attempt = 1; attempt <= 3; attempt++) {
    await eventually(() => expect(errors.length).toBe(attempt));
    if (attempt < 3) clock.advance(STORE_RETRY_MS);
  }
  const { db } = await service.store.opened;
  await eventually(async () => expect(await queueConnections(db)).toBe(0));
  await rename('hidden', 'create_queue');
  clock.advance(STORE_RETRY_MS);
  expect(await service.jobs.find(OWNER, 'none')).toBeUndefined();
  expect(await queueConnections(db)).toBeGreaterThan(0);
  await before.close();
});

test('a worker whose connections to the database are lost without a sign works on', {
  tags: 'slow',
}, async context => {
  const { databaseUrl, dataDirectory } = await locate(context);
  const { path, name } = databasePlace(databaseUrl);
  const sockets: Socket[] = [];
  const proxy = createServer(near => {
    const far = connect(path);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = proxy.address() as AddressInfo;
  await using api = openJobStore({ databaseUrl, dataDirectory }, { worksOnQueue: false });
  await using worker = openJobStore(
    { databaseUrl: `postgres://test@127.0.0.1:${port}/${name}`, dataDirectory },
    { tasks: { async: async () => ({ results: {} }) }, onError: () => {} },
  );
  await worker.jobs.find('owner', 'nothing');
  await api.jobs.submit(submission('Job1'));
  await untilJob(api.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  for (const socket of sockets) socket.unpipe().pause();
  await api.jobs.submit(submission('Job2'));
  await untilJob(api.jobs, 'Job2', job => expect(job?.status).toBe('done'));
});
