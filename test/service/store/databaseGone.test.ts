// @module-tag tools

import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { endOf, postJson, postMedia } from '../../helpers/keptService.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';
const server = serverBackend();

/** A problem that says of the database what callers may know. */
const UNAVAILABLE = {
  title: 'Service Unavailable',
  status: 503,
  detail: expect.stringMatching(/^The database is not /),
};

test('while the database server is gone every request gets 503, and afterwards the service goes on', async context => {
  const database = await server.start(context);
  const place = await server.locate(context);
  const service = await startTestService(place);
  await service.ready;
  const { id } = (await postMedia(service, JOBS)).json();
  await endOf(service, `${JOBS}/${id}`);
  await database.stop();
  const answers = [
    await request(service, `${JOBS}/${id}`),
    await request(service, JOBS),
    await request(service, `${JOBS}/${id}`, { method: 'DELETE' }),
    await request(service, '/speechtotext/v1/account'),
    await postMedia(service, JOBS),
    await postJson(service, '/sentiment_analysis/v1/jobs', { text: 'Fine.' }),
  ];
  for (const { status, json } of answers) {
    expect([status, json()]).toEqual([503, UNAVAILABLE]);
  }
  const ready = async () => (await request(service, '/health/ready')).json();
  await eventually(async () =>
    expect(await ready()).toMatchObject({
      status: 503,
      detail: 'The service is not ready (waiting for: database).',
    }),
  );
  expect((await request(service, '/health/live')).status).toBe(200);
  const spool = join(place.dataDirectory, 'objects/.spool');
  const uploads = readdirSync(spool, { withFileTypes: true, recursive: true });
  // The lock and a check for space are no uploads.
  const isUpload = (entry: Dirent) => entry.isFile() && !/^(lock\.db|\.probe\.)/.test(entry.name);
  expect(uploads.filter(isUpload)).toEqual([]);
  await database.start();
  await eventually(async () => expect((await request(service, `${JOBS}/${id}`)).status).toBe(200));
  await eventually(async () => expect(await ready()).toEqual({ status: 'ok' }));
  const later = (await postMedia(service, JOBS)).json();
  expect(await endOf(service, `${JOBS}/${later.id}`)).toMatchObject({ status: 'transcribed' });
});

test('while the database server does not answer, a request whose token has to be looked up gets 503', async context => {
  const database = await server.start(context);
  const service = await startTestService({ ...(await server.locate(context)), clock: hurriedClock });
  await service.ready;
  const ask = (token: string) => request(service, JOBS, { headers: { authorization: `Bearer ${token}` } });
  await eventually(async () => expect((await ask('a-wrong-token')).status).toBe(401));
  database.pause();
  try {
    // More than the lookups that run at once.
    for (const { status, json } of await Promise.all(['one', 'two', 'three', 'four'].map(ask))) {
      expect([status, json()]).toEqual([503, UNAVAILABLE]);
    }
  } finally {
    database.goOn();
  }
  await eventually(async () => expect((await ask('five')).status).toBe(401));
});
