// @module-tag tools

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';

const programs = postgresPrograms();
let server: PostgresServer;

beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function place() {
  return { dataDirectory: await temporaryDirectory(), databaseUrl: await server.createDatabase() };
}

describe.skipIf(!programs)('a database server that goes away', () => {
  test('makes the service refuse jobs, which go on without loss when it is back', async () => {
    const held = heldTask();
    const errors: unknown[] = [];
    await using service = openJobStore(await place(), {
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

  test('does not end a service in the middle of a transaction', async () => {
    await using service = openJobStore(await place(), { onError: () => {} });
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
