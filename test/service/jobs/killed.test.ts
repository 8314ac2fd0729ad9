import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { auditStore, killServices } from '../../helpers/killRounds.ts';
import { OWNER } from '../../helpers/scriptedTasks.ts';
import { storeBackends } from '../../helpers/storeBackends.ts';

/** `npm run bench -- jobs` does more of them. */
const ROUNDS = 8;

const NOTHING_WRONG = { lost: 0, notDone: 0, notToldOnce: 0, creditOff: 0, stillHeld: 0, leftOver: 0 };
const server = storeBackends().find(({ name }) => name === 'server')!;

describe('a service that is killed again and again', () => {
  test('loses nothing that it has taken, and ends every job once', async () => {
    const place = { dataDirectory: await dataDirectory() };
    const acknowledged = await killServices(place, ROUNDS);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await auditStore(place, acknowledged)).toEqual({
      acknowledged: acknowledged.length,
      ...NOTHING_WRONG,
    });
  });

  test('on a database server loses nothing either: what gave no sign for long is taken up', async context => {
    const place = await server.locate(context);
    const acknowledged = await killServices(place, 2);
    const client = new pg.Client({ connectionString: place.databaseUrl });
    await client.connect();
    const { rowCount } = await client.query(
      `update queue.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
    );
    await client.end();
    expect(rowCount).toBeGreaterThan(0);
    expect(await auditStore(place, acknowledged)).toEqual({
      acknowledged: acknowledged.length,
      ...NOTHING_WRONG,
    });
  });
});

test('what a service left between its files and its rows is removed at the next start', async () => {
  const directory = await dataDirectory();
  const objects = join(directory, 'objects');
  {
    await using service = openJobStore({ dataDirectory: directory });
    for (const id of ['kept', 'ended']) {
      service.jobs
        .start({ id, accountId: OWNER, type: 'stream' })
        .end({ status: 'done' }, { transcript: 'x' });
    }
    await service.jobs.find(OWNER, 'ended');
  }
  for (const path of ['submitted/nobody', 'submitted/ended', 'jobs/nobody/results']) {
    await mkdir(join(objects, path), { recursive: true });
    await writeFile(join(objects, path, 'media'), 'words');
  }
  await using service = openJobStore({ dataDirectory: directory });
  await service.jobs.find(OWNER, 'kept');
  await eventually(async () => {
    expect(await readdir(join(objects, 'submitted'))).toEqual([]);
    expect((await readdir(join(objects, 'jobs'))).sort()).toEqual(['ended', 'kept']);
  });
  expect(await service.jobs.result('ended', 'transcript')).toBe('x');
});
