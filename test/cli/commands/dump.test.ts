import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import type { Service } from '../../../src/service/app.ts';
import type { Delivery } from '../../../src/service/jobs/deliveries.ts';
import { runCommand, startCommand } from '../../helpers/commandLine.ts';
import { copiedDatabase, dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { DESK_ADMIN_TOKEN, deskAdministration, waitingHumanJob } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { endOf, postJson, postMedia } from '../../helpers/keptService.ts';
import { laterRelease } from '../../helpers/laterRelease.ts';
import { postgresPrograms } from '../../helpers/postgresServer.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { bucketBackend } from '../../helpers/storeBackends.ts';
import { contentsOf, FILLED_JOBS, type Filled, fillStore } from '../../helpers/storeContents.ts';
import { connectedStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const servers = bucketBackend();
/** Milliseconds of a test that starts two servers and opens several stores, on a machine that is busy. */
const TIMEOUT_MS = 600_000;
const JOBS = '/speechtotext/v1/jobs';
const VOCABULARIES = '/speechtotext/v1/vocabularies';

const program = (name: string) => join(postgresPrograms()!, name);

/** Loads a script into a database. */
function load({ databaseUrl }: StorePlace, input: string | Buffer): void {
  execFileSync(program('psql'), ['--quiet', '--no-psqlrc', databaseUrl!], { input, stdio: 'pipe' });
}

/** Copies the files of a directory to a bucket, as `aws s3 cp --recursive` does. */
async function upload(directory: string, { url, endpoint }: NonNullable<StorePlace['objects']>) {
  const [, Bucket, prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(url)!;
  const client = new S3Client({ endpoint: endpoint!, region: 'us-east-1', forcePathStyle: true });
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const Key = `${prefix}/${relative(directory, path)}`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: readFileSync(path) }));
  }
  client.destroy();
}

/** Dumps a data directory, and restores it on the servers of a place. */
async function move(source: { readonly dataDirectory: string }, target: StorePlace): Promise<string> {
  const directory = join(await temporaryDirectory(), 'new', 'dump');
  expect(await runCommand(['dump', directory, '--data', source.dataDirectory])).toEqual({
    ...{ code: 0, stdout: '', stderr: `Dumped to '${directory}'.\n` },
  });
  load(target, readFileSync(join(directory, 'dump.sql')));
  await upload(join(directory, 'objects'), target.objects!);
  return directory;
}

/** Checks that the pending work of a filled store is done after its move. */
async function expectWork(place: StorePlace, { token, deliveryId, media }: Filled): Promise<void> {
  const delivered: Delivery[] = [];
  const ran = new Map<string, readonly [media: string | undefined, input: unknown]>();
  await using service = openJobStore(place, {
    ...FILLED_JOBS,
    tasks: {
      alignment: async ({ id }, { media, input }) => {
        ran.set(id, [media && readFileSync(media, 'hex'), input]);
        return { results: { transcript: `of ${id}` } };
      },
    },
    deliver: async delivery => {
      delivered.push(delivery);
      return { outcome: 'delivered' };
    },
  });
  const { accounts, jobs, store } = service;
  await accounts.prepared;
  // The notification is due an hour after its first attempt.
  const { db } = await store.opened;
  const caller = await accounts.authenticate(token);
  expect(caller?.limits).toEqual({ streams: 3, requestsPerSecond: 0.5 });
  expect(await accounts.authenticate('token of the owner')).toMatchObject({ accountId: 'owner' });
  await eventually(async () => expect(await jobs.countInProgress(caller!.accountId, 10)).toBe(1));
  expect([...ran.keys()].sort()).toEqual(['held', 'queued', 'queued2']);
  expect(ran.get('held')).toEqual([media.toString('hex'), { text: 'é' }]);
  expect(await jobs.result('done', 'transcript')).toBe('grüße\u2028 "1"');
  expect(await jobs.result('queued', 'transcript')).toBe('of queued');
  expect(await jobs.human.finish('human', { status: 'done' }, { transcript: 'by Ann' })).toBe(true);
  expect(delivered).toEqual([]);
  const pending = await db.selectFrom('deliveries').select('id').execute();
  expect(pending).toEqual([{ id: deliveryId }]);
}

test('an embedded store moves to servers, with all its data and its pending work', {
  tags: 'tools',
  timeout: TIMEOUT_MS,
}, async context => {
  const target = await servers.locate(context);
  const source = { dataDirectory: await dataDirectory() };
  const filled = await fillStore(source);
  const contents = await contentsOf(source);
  const directory = await move(source, target);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, 0o600]);
  }
  expect((await readdir(directory)).sort()).toEqual(['dump.sql', 'objects']);
  expect((await readdir(join(directory, 'objects'))).sort()).toEqual(['jobs', 'submitted']);
  expect(await contentsOf(target)).toEqual(contents);
  // It is not loaded over data.
  const again = readFileSync(join(directory, 'dump.sql'));
  expect(() => load(target, again)).toThrow('already exists');
  expect(await contentsOf(target)).toEqual(contents);

  const copied = { ...(await servers.locate(context)), objects: target.objects };
  load(copied, execFileSync(program('pg_dump'), ['--no-owner', target.databaseUrl!]));
  expect(await contentsOf(copied)).toEqual(contents);

  await expectWork(target, filled);
});

/** Returns all that a service shows of a job. */
async function shown(service: Service, id: string, worker: string) {
  const [job, transcript, captions] = await Promise.all(
    ['', '/transcript', '/captions'].map(path => request(service, `${JOBS}/${id}${path}`)),
  );
  const audio = await deskAdministration(service, 'GET', `/desk/jobs/${id}/audio?worker=${worker}`);
  return {
    job: job!.json(),
    answers: [transcript, captions, audio].map(answer => [answer!.status, answer!.text]),
  };
}

test('a service on servers serves the jobs, vocabularies and streams of the embedded one', {
  tags: 'tools',
  timeout: TIMEOUT_MS,
}, async context => {
  const target = await servers.locate(context);
  const source = { dataDirectory: await dataDirectory() };
  const options = { adminToken: DESK_ADMIN_TOKEN, publicUrl: 'http://speech.example' };
  const before = await startTestService({ ...options, ...source });
  const media = (await postMedia(before, JOBS, undefined, { metadata: 'tab\tback\\slash\nline' })).json().id;
  await endOf(before, `${JOBS}/${media}`);
  const client = await connectedStream(before, { metadata: 'a stream' });
  const stream = await client.connected;
  await client.finish(scriptedSpeech([4, 7, 0, 0, 0, 9, 8]));
  await endOf(before, `${JOBS}/${stream}`);
  const phrases = { custom_vocabularies: [{ phrases: ['Dashwood', 'Norland'] }] };
  const vocabulary = `${VOCABULARIES}/${(await postJson(before, VOCABULARIES, phrases)).json().id}`;
  await endOf(before, vocabulary);
  const human = await waitingHumanJob(before);
  await deskAdministration(before, 'POST', `/desk/jobs/${human}/export`, {
    worker: 'House',
    seconds: 86_400,
  });
  const views = async (service: Service) => ({
    jobs: await Promise.all([media, stream, human].map(id => shown(service, id, 'House'))),
    vocabulary: (await request(service, vocabulary)).json(),
    accounts: (await deskAdministration(service, 'GET', '/accounts')).json(),
  });
  const seen = await views(before);
  expect(seen.jobs.map(({ answers }) => answers.map(([status]) => status))).toEqual([
    [200, 200, expect.any(Number)],
    [200, 200, expect.any(Number)],
    [expect.any(Number), expect.any(Number), 200],
  ]);
  await before.close();

  await move(source, target);
  const after = await startTestService({ ...options, ...target });
  await after.ready;
  expect(await views(after)).toEqual(seen);
  expect(await waitingHumanJob(after, { metadata: 'new' })).toBeDefined();
});

test('a store in use is not dumped', async () => {
  const source = await copiedDatabase();
  await using _ = openJobStore({ dataDirectory: source });
  const directory = join(await temporaryDirectory(), 'dump');
  expect(await runCommand(['dump', directory, '--data', source])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`another service uses '${source}'. Stop that service first.`),
  });
  expect(existsSync(directory)).toBe(false);
});

test('a store that a later release has changed is not dumped', async () => {
  const source = await dataDirectory();
  {
    using _ = laterRelease('9998_expand_colours', ['alter table jobs add column colour text']);
    await contentsOf({ dataDirectory: source });
  }
  const directory = await temporaryDirectory();
  expect(await runCommand(['dump', directory, '--data', source])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('A later release has changed the database (9998_expand_colours).'),
  });
  expect(await readdir(directory)).toEqual([]);
});

test('a directory without an embedded database is not dumped, nor made', async () => {
  const missing = join(await temporaryDirectory(), 'missing');
  expect(await runCommand(['dump', missing, '--data', missing])).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/has no embedded database\. Dump one on a PostgreSQL server with pg_dump/),
  });
  expect(existsSync(missing)).toBe(false);
});

test('a dump overwrites nothing', async () => {
  const source = await copiedDatabase();
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  expect(await runCommand(['dump', directory, '--data', source])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Directory '${directory}' is not empty. Name a new one.`),
  });
  expect(await runCommand(['dump', join(directory, 'file'), '--data', source])).toMatchObject({ code: 3 });
  expect(await readdir(directory)).toEqual(['file']);
});

test('an interrupted dump leaves nothing', async () => {
  const source = await copiedDatabase();
  const directory = join(await temporaryDirectory(), 'dump');
  const running = startCommand(['dump', directory, '--data', source]);
  await eventually(() => expect(existsSync(directory)).toBe(true));
  running.interrupt();
  expect(await running.done).toMatchObject({ code: 130 });
  expect(existsSync(directory)).toBe(false);
  await rm(source, { recursive: true });
});
