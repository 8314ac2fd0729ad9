// @module-tag slow
// @module-tag tools

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
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
  const dataDirectory = await temporaryDirectory();
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
