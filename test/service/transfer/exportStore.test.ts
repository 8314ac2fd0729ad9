import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CopyObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createId } from '../../../src/base/ids.ts';
import { type OpenStore, openStore } from '../../../src/service/store/store.ts';
import { exportStore } from '../../../src/service/transfer/exportStore.ts';
import { importParts } from '../../../src/service/transfer/importStore.ts';
import { keyAt, type Part, STATE_TABLE_NAMES, tableAt } from '../../../src/service/transfer/parts.ts';
import { collect } from '../../helpers/collect.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { postgresPrograms } from '../../helpers/postgresServer.ts';
import { OWNER, submission } from '../../helpers/scriptedTasks.ts';
import { bucketBackend, serverBackend } from '../../helpers/storeBackends.ts';
import { contentsOf, FILLED_JOBS, fillStore } from '../../helpers/storeContents.ts';
import { unexpected } from '../../helpers/unexpected.ts';

const [server, bucket] = [serverBackend(), bucketBackend()];
const TIMEOUT_MS = 600_000;
const idle = { clock: systemClock, signal: new AbortController().signal, onProgress() {} };

const open = (place: StorePlace, changes = {}) =>
  openStore({ ...place, ...changes, clock: systemClock, onError: unexpected });

/**
 * Tables that are not exported: the identity of a store, and the memory of running processes. The order of waiting jobs is part
 * of the jobs.
 */
const OTHER_TABLES: readonly string[] = [
  'store',
  'members',
  'streams',
  'stream_tokens',
  'request_rates',
  'meters',
  'turns',
  'sweeps',
  'desk_sessions',
];

test('every table of the database is exported, or named as one that is not', async () => {
  const store = open({ dataDirectory: await dataDirectory() });
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute((await store.opened).db);
  await store.close();
  const names = rows.map(({ name }) => name).filter(name => !name.startsWith('kysely_'));
  expect(names.sort()).toEqual([...STATE_TABLE_NAMES, ...OTHER_TABLES].sort());
});

interface Exported {
  readonly keys: ReadonlySet<string>;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  readonly rows: Readonly<Record<string, readonly any[]>>;
}

/** Reads an export slowly, so that jobs begin, end and are deleted meanwhile. */
async function readExport(parts: AsyncIterable<Part>): Promise<Exported> {
  const keys = new Set<string>();
  const rows: Record<string, readonly unknown[]> = {};
  for await (const { path, contents } of parts) {
    const bytes = Buffer.concat(await collect(contents));
    const key = keyAt(path);
    await setTimeout(key?.startsWith('submitted/') ? 30 : 1);
    if (key !== undefined) keys.add(key);
    const table = tableAt(path);
    if (table)
      rows[table] = String(bytes)
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line));
  }
  return { keys, rows };
}

/** Submits jobs with media and deletes some that have ended, until it is stopped. */
async function keepBusy(service: ReturnType<typeof openJobStore>, isStopped: () => boolean): Promise<number> {
  const { jobs, store } = service;
  const { objects } = await store.opened;
  const ids: string[] = [];
  while (!isStopped()) {
    const id = createId();
    const media = join(objects.spoolDirectory, id);
    await writeFile(media, id);
    await jobs.submit(submission(id, { media, input: { id }, reserveSeconds: 3 }));
    ids.push(id);
    const older = ids.at(-20);
    if (ids.length % 3 === 0 && older && (await jobs.find(OWNER, older))?.status === 'done') {
      await jobs.remove(older);
    }
  }
  return ids.length;
}

test('an export of a service that goes on has the rows of one moment, and all objects that they need', {
  tags: 'tools',
  timeout: TIMEOUT_MS,
}, async context => {
  const place = await server.locate(context);
  await using service = openJobStore(place, {
    concurrency: 4,
    tasks: {
      async: async ({ id }, { signal }) => {
        await setTimeout(Math.random() * 30, undefined, { signal });
        return { durationSeconds: 2.25, results: { transcript: id } };
      },
    },
  });
  await service.accounts.prepared;
  let isStopped = false;
  const busy = keepBusy(service, () => isStopped);
  const store = await service.store.opened;
  try {
    await eventually(async () => {
      const { count } = await store.db
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(count).toBeGreaterThan(60);
    });
    for (let round = 0; round < 3; round++) {
      const { keys, rows } = await readExport(exportStore(store, { release: '1.0.0', ...idle }).parts);
      const { jobs, accounts } = rows as Required<Exported['rows']>;
      const running = jobs!.filter(({ status }) => status === 'in_progress');
      const done = jobs!.filter(({ status }) => status === 'done');
      expect(done.length).toBeGreaterThan(0);
      const missing = [
        ...running.flatMap(({ id }) => [`submitted/${id}/input`, `submitted/${id}/media`]),
        ...done.map(({ id }) => `jobs/${id}/results/transcript`),
      ].filter(key => !keys.has(key));
      expect(missing).toEqual([]);
      const reserved = running.reduce((sum, job) => sum + job.reserved_seconds, 0);
      expect(accounts![0].reserved_seconds).toBe(reserved);
    }
  } finally {
    isStopped = true;
    expect(await busy).toBeGreaterThan(60);
  }
});

test('an import is refused while a process of the service is alive', { tags: 'tools' }, async context => {
  const place = await server.locate(context);
  const store = open(place, { forImport: true });
  const { db } = await store.opened;
  const member = { id: 'm', role: 'worker', version: '1.0.0', host: 'alpha', figures: {} };
  const now = sql<Date>`now()`;
  await db
    .insertInto('members')
    .values({ ...member, startedOn: now, seenOn: now })
    .execute();
  const source = open({ dataDirectory: await dataDirectory() });
  const exported = exportStore(await source.opened, { release: '1.0.0', ...idle });
  await expect(
    importParts(await store.opened, exported.parts, { ...idle, onError: unexpected }),
  ).rejects.toThrow(
    "Cannot import: 1 process of the service on 'alpha' may be using the database. Stop the service",
  );
  await Promise.all([source.close(), store.close()]);
});

/** Copies the objects of one place to another on the same server. */
async function copyObjects(from: StorePlace, to: StorePlace): Promise<void> {
  const [, bucketName, prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(from.objects!.url)!;
  const target = to.objects!.url.split('/').at(-1)!;
  const client = new S3Client({
    endpoint: from.objects!.endpoint!,
    region: 'us-east-1',
    forcePathStyle: true,
  });
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucketName!, Prefix: `${prefix}/`, ContinuationToken: token }),
    );
    for (const { Key } of page.Contents ?? []) {
      const key = Key!.replace(prefix!, target);
      await client.send(
        new CopyObjectCommand({ Bucket: bucketName!, CopySource: `${bucketName}/${Key}`, Key: key }),
      );
    }
    token = page.NextContinuationToken;
  } while (token);
  client.destroy();
}

test('a dump of the database with a copy of the bucket restores a service', {
  tags: 'tools',
  timeout: TIMEOUT_MS,
}, async context => {
  const place = await bucket.locate(context);
  const { deliveryId } = await fillStore(place);
  const restored = { ...(await bucket.locate(context)), dataDirectory: await temporaryDirectory() };
  const programs = postgresPrograms()!;
  const dump = execFileSync(join(programs, 'pg_dump'), ['--no-owner', place.databaseUrl!]);
  await copyObjects(place, restored);
  execFileSync(join(programs, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', restored.databaseUrl!], {
    input: dump,
  });
  expect(await contentsOf(restored)).toEqual(await contentsOf(place));

  const ran: string[] = [];
  await using service = openJobStore(restored, {
    ...FILLED_JOBS,
    tasks: {
      alignment: async ({ id }) => {
        ran.push(id);
        return { results: {} };
      },
    },
  });
  await service.accounts.prepared;
  await eventually(() => expect(ran.sort()).toEqual(['held', 'queued', 'queued2']));
  // Due an hour after its first attempt.
  expect(await pendingDeliveries(await service.store.opened)).toEqual([deliveryId]);
});

async function pendingDeliveries({ db }: OpenStore): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select data->>'id' as id from queue.job where name = 'deliveries' and state < 'completed'`.execute(db);
  return rows.map(({ id }) => id);
}
