// @module-tag slow
// @module-tag tools

import { expect, test } from 'vitest';
import { openLink } from '../../../src/replay/load/chaosFaults.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { needs } from '../../helpers/needs.ts';
import { databasePlace, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { submission, untilJob } from '../../helpers/scriptedTasks.ts';

test('a worker whose connections to the database are lost without a sign works on', async context => {
  const programs = postgresPrograms();
  needs(context, programs ? undefined : 'the package postgresql');
  await using server = await startPostgres(programs!);
  const databaseUrl = await server.createDatabase();
  const { path, name } = databasePlace(databaseUrl);
  await using link = await openLink({ path });
  const dataDirectory = await temporaryDirectory();
  await using api = openJobStore({ databaseUrl, dataDirectory }, { worksOnQueue: false });
  await using worker = openJobStore(
    { databaseUrl: `postgres://test@127.0.0.1:${link.port}/${name}`, dataDirectory },
    { tasks: { async: async () => ({ results: {} }) }, onError: () => {} },
  );
  await worker.jobs.find('owner', 'nothing');
  await api.jobs.submit(submission('Job1'));
  await untilJob(api.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  link.forget();
  await api.jobs.submit(submission('Job2'));
  await untilJob(api.jobs, 'Job2', job => expect(job?.status).toBe('done'));
});
