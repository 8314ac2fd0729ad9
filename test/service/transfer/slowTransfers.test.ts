import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type OpenStore, openStore } from '../../../src/service/store/store.ts';
import type { Tables } from '../../../src/service/store/tables.ts';
import { exportStore } from '../../../src/service/transfer/exportStore.ts';
import { importParts } from '../../../src/service/transfer/importStore.ts';
import { type Part, tableAt } from '../../../src/service/transfer/parts.ts';
import { collect } from '../../helpers/collect.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { submission } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';
import { unexpected } from '../../helpers/unexpected.ts';

const server = serverBackend();
const IDLE_TRANSACTION_MS = 1500;
const settings = {
  release: '1.0.0',
  clock: systemClock,
  signal: new AbortController().signal,
  onProgress() {},
};

/** Opens a store, whose server soon ends transactions without statements. */
async function open(place: StorePlace, changes = {}): Promise<OpenStore> {
  const options = { idleTransactionMs: IDLE_TRANSACTION_MS, clock: systemClock, onError: unexpected };
  const store = openStore({ ...place, ...options, ...changes });
  onTestFinished(() => store.close());
  return store.opened;
}

/** Fills a new store with two jobs, which nobody runs. */
async function filled(context: TestContext): Promise<StorePlace> {
  const place = await server.locate(context);
  await using service = openJobStore(place, { worksOnQueue: false });
  const { objects } = await service.store.opened;
  await service.accounts.prepared;
  for (const id of ['first', 'second']) {
    const media = join(objects.spoolDirectory, id);
    await writeFile(media, `media of ${id}`);
    await service.jobs.submit(submission(id, { media, input: { id } }));
  }
  return place;
}

/** Waits, by the clock of the server, longer than a transaction may be idle. */
const pause = (db: Kysely<Tables>) => sql`select pg_sleep(${(1.7 * IDLE_TRANSACTION_MS) / 1000})`.execute(db);

async function textsOf(parts: AsyncIterable<Part>): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for await (const { path, contents } of parts) {
    texts[path] = String(Buffer.concat(await collect(contents)));
  }
  return texts;
}

test('a slow reader of an export holds up neither jobs nor the database', {
  tags: 'tools',
}, async context => {
  const place = await filled(context);
  const store = await open(place);
  const { db, objects } = store;
  const paths: string[] = [];
  for await (const { path, contents } of exportStore(store, settings).parts) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and xact_start is not null`.execute(db);
    expect(rows).toEqual([]);
    // As if the jobs had ended.
    if (path.startsWith('objects/submitted/')) await objects.removeAll('submitted');
    await collect(contents);
    paths.push(path);
  }
  expect(paths).toEqual(
    expect.arrayContaining(
      ['first', 'second'].flatMap(id => [`objects/submitted/${id}/input`, `objects/submitted/${id}/media`]),
    ),
  );
});

test('an export outlives objects that come slowly while jobs are locked', {
  tags: 'tools',
}, async context => {
  const store = await open(await filled(context));
  const { db, objects } = store;
  let isPaused = false;
  const fileOf: typeof objects.fileOf = async (...args) => {
    if (!isPaused) {
      isPaused = true;
      await pause(db);
    }
    return objects.fileOf(...args);
  };
  const texts = await textsOf(exportStore({ ...store, objects: { ...objects, fileOf } }, settings).parts);
  expect(isPaused).toBe(true);
  expect(texts['objects/submitted/second/media']).toBe('media of second');
  expect(texts['jobs.jsonl']!.split('\n')).toHaveLength(3);
});

test('an import outlives rows that come slowly', { tags: 'tools' }, async context => {
  const source = await open(await filled(context));
  const place = await server.locate(context);
  const target = await open({ ...place, dataDirectory: await temporaryDirectory() }, { forImport: true });
  async function* slowly(contents: Part['contents']) {
    await pause(source.db);
    yield* contents;
  }
  async function* slowParts() {
    for await (const part of exportStore(source, settings).parts) {
      yield tableAt(part.path) === 'jobs' ? { ...part, contents: slowly(part.contents) } : part;
    }
  }
  const summary = await importParts(target, slowParts(), { ...settings, onError: unexpected });
  expect(summary).toEqual({ accounts: 1, jobs: 2, objects: 4 });
});
