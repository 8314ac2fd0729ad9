import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { counted } from '../../base/text.ts';
import { OWNER_ID } from '../accounts/firstAccount.ts';
import { openQueue, queueNames } from '../jobs/queue.ts';
import { isAlive } from '../machines/member.ts';
import { isImportBegun, markImport, removeImportMark } from '../store/importMark.ts';
import type { OpenStore } from '../store/store.ts';
import { FIRST_TOKEN_ID, type Tables } from '../store/tables.ts';
import { serviceLanes } from '../tasks/serviceTasks.ts';
import { ahead } from './ahead.ts';
import { createReadParts, type ReadParts } from './checksums.ts';
import { checkMigrations, type ImportedRows, openImportedRows } from './importRows.ts';
import {
  CHECKSUMS_PATH,
  checkPath,
  damaged,
  incomplete,
  keyAt,
  MANIFEST_PATH,
  type Manifest,
  type Part,
  readManifest,
  tableAt,
  tablePath,
} from './parts.ts';
import { queueWork } from './queueWork.ts';

export interface ImportOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the step, and with the fraction of the whole where that is known. */
  readonly onProgress: (step: string, fraction?: number) => void;
  /** Called when background work of the queue failed. */
  readonly onError: (error: unknown) => void;
  /** Returns the parts once more, where they can be read again: their rows are checked before the store is changed. */
  readonly again?: () => AsyncIterable<Part>;
}

export interface ImportSummary {
  readonly accounts: number;
  readonly jobs: number;
  readonly objects: number;
}

/** Bytes of the largest object that S3 servers take at once. */
const MAX_OBJECT_BYTES = 5 * 2 ** 30;
const MAX_MANIFEST_BYTES = 2 ** 20;
/** Objects stored at the same time. */
const UPLOADS = 8;

/**
 * Imports the parts of an export into a new store, which no service may use. The objects are stored first, then all rows in one
 * transaction. Until that succeeds, the store stays marked as incomplete, and the import can be repeated.
 *
 * @throws RxscribeError `store` when the store is in use or not new; `unreadable-input` for parts that cannot be used; the
 * signal's reason
 */
export async function importParts(
  store: OpenStore,
  parts: AsyncIterable<Part>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const directory = join(store.objects.spoolDirectory, createId());
  await mkdir(directory, { mode: 0o700 });
  const read = createReadParts(join(directory, 'checksums'));
  const source = parts[Symbol.asyncIterator]();
  try {
    const context = { ...options, store, directory, read, next: () => nextPart(source, read, options) };
    const manifest = await readFirst(context);
    await prepare(context, manifest);
    const { objects, after } = await importObjects(context);
    const counts = await importTables(context, manifest, after);
    await removeImportMark(store.objects);
    return { ...counts, objects };
  } finally {
    await source.return?.();
    await rm(directory, { recursive: true, force: true });
  }
}

interface Import extends ImportOptions {
  readonly store: OpenStore;
  /** Directory of temporary files. */
  readonly directory: string;
  readonly read: ReadParts;
  /** Resolves with undefined at the end. */
  next(): Promise<Part | undefined>;
}

async function nextPart(
  source: AsyncIterator<Part>,
  read: ReadParts,
  { signal }: ImportOptions,
): Promise<Part | undefined> {
  const { done, value } = await source.next();
  signal.throwIfAborted();
  if (done) return undefined;
  checkPath(value.path);
  return value.path === CHECKSUMS_PATH ? value : read.recorded(value);
}

async function readFirst({ next }: Import): Promise<Manifest> {
  const first = await next();
  if (first?.path !== MANIFEST_PATH || first.bytes > MAX_MANIFEST_BYTES) {
    throw damaged(`it does not begin with '${MANIFEST_PATH}'`);
  }
  const manifest = readManifest(await text(first.contents));
  checkMigrations(manifest);
  return manifest;
}

/** Checks that the store is new, and the rows if they can be read again; then marks the store. */
async function prepare(context: Import, manifest: Manifest): Promise<void> {
  const { store, clock } = context;
  const { db, objects, exclusive } = store;
  if (!exclusive) await refuseMembers(db);
  const isBegun = await isImportBegun(db, objects);
  if (!isBegun) await refuseData(db);
  await tryTables(context, manifest);
  if (isBegun) return;
  await markImport(objects, new Date(clock.wallTime()));
  await db.deleteFrom('accounts').execute();
}

/** Imports the rows that can be read again, and rolls them back. */
async function tryTables({ again, store, directory, ...options }: Import, manifest: Manifest): Promise<void> {
  if (!again) return;
  const read = createReadParts(join(directory, 'tried'));
  const source = again()[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const part = await nextPart(source, read, options);
      if (!part || tableAt(part.path)) return part;
    }
  };
  const tried = new Error('The rows have been tried.');
  try {
    await store.db.transaction().execute(async trx => {
      await trx.deleteFrom('accounts').execute();
      const rows = await openImportedRows(trx, manifest);
      await loadTables(rows, await next(), { ...options, next, step: 'checking accounts and jobs' });
      await rows.finish();
      throw tried;
    });
  } catch (error) {
    if (error !== tried) throw error;
  } finally {
    await source.return?.();
  }
}

async function refuseMembers(db: Kysely<Tables>): Promise<void> {
  const members = await db.selectFrom('members').select('host').where(isAlive).execute();
  if (members.length === 0) return;
  const hosts = [...new Set(members.map(({ host }) => `'${host}'`))].join(', ');
  throw new RxscribeError(
    'store',
    `Cannot import: ${counted(members.length, 'process')} of the service on ${hosts} may be using the database. ` +
      'Stop the service, and wait 15 seconds if it was killed.',
  );
}

/** Refuses a store with more than the account that its first start created. */
async function refuseData(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`
    select 1 from jobs union all select 1 from removed_jobs union all select 1 from deliveries
    union all select 1 from accounts where id <> ${OWNER_ID}
    union all select 1 from tokens where id <> ${FIRST_TOKEN_ID} limit 1`.execute(db);
  if (rows.length === 0) return;
  throw new RxscribeError(
    'store',
    'Cannot import: the store has accounts or jobs already. Name a new directory, or a new database and place of objects.',
  );
}

/** Stores the objects; returns the part that follows them. */
async function importObjects(context: Import): Promise<{ objects: number; after: Part | undefined }> {
  const { store, directory, next, onProgress } = context;
  let objects = 0;
  let after: Part | undefined;
  async function* spooled() {
    for (;;) {
      after = await next();
      const key = after && keyAt(after.path);
      if (!after || key === undefined) return;
      if (after.bytes > MAX_OBJECT_BYTES) throw damaged(`'${after.path}' is larger than 5 GiB`);
      onProgress('importing media and transcripts', after.fraction);
      const path = join(directory, createId());
      await writeFile(path, after.contents, { mode: 0o600, flag: 'wx' });
      yield { key, path };
    }
  }
  const stored = ahead(spooled(), UPLOADS, async ({ key, path }) => {
    await store.objects.adopt(key, path);
    // The file still exists if the object is not a file of this machine.
    await rm(path, { force: true });
  });
  for await (const _ of stored) objects++;
  return { objects, after };
}

/** Stores all rows, and queues the work that they describe. */
async function importTables(
  context: Import,
  manifest: Manifest,
  firstPart: Part | undefined,
): Promise<Pick<ImportSummary, 'accounts' | 'jobs'>> {
  const { store, read, next } = context;
  const lanes = serviceLanes(1);
  const queue = await openQueue({ ...store, ...context, names: queueNames(lanes) });
  try {
    return await store.db.transaction().execute(async trx => {
      // The parts may come slowly, and nothing else uses the store.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      // Another import may have been faster.
      await sql`lock table accounts in exclusive mode`.execute(trx);
      await refuseAccounts(trx);
      const rows = await openImportedRows(trx, manifest);
      const step = 'importing accounts and jobs';
      const { part, ...counts } = await loadTables(rows, firstPart, { ...context, step });
      await read.compare(expected(part, CHECKSUMS_PATH).contents);
      const after = await next();
      if (after) throw damaged(`'${after.path}' comes after '${CHECKSUMS_PATH}'`);
      await rows.finish();
      await queueWork(trx, { queue, lanes });
      return counts;
    });
  } finally {
    await queue.close();
  }
}

/** Loads all tables; resolves with the part that follows them, and the numbers of rows. */
async function loadTables(
  rows: ImportedRows,
  firstPart: Part | undefined,
  { next, onProgress, step }: Pick<Import, 'next' | 'onProgress'> & { readonly step: string },
) {
  const counts = { accounts: 0, jobs: 0 };
  let part = firstPart;
  for (const table of rows.tables) {
    const { contents, fraction } = expected(part, tablePath(table));
    onProgress(step, fraction);
    const count = await rows.load(table, contents);
    if (table === 'accounts' || table === 'jobs') counts[table] = count;
    part = await next();
  }
  return { ...counts, part };
}

function expected(part: Part | undefined, path: string): Part {
  if (part?.path === path) return part;
  if (!part) throw incomplete();
  throw damaged(`'${part.path}' comes instead of '${path}'. Unpack it, and import the directory`);
}

async function refuseAccounts(trx: Kysely<Tables>): Promise<void> {
  const account = await trx.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  if (account)
    throw new RxscribeError('store', 'Cannot import: another process has changed the store meanwhile.');
}
