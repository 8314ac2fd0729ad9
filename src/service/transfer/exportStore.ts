import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import { resultsPrefix, SUBMITTED } from '../jobs/jobObjects.ts';
import { executedMigrations } from '../store/migrations.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { ahead } from './ahead.ts';
import { createReadParts } from './checksums.ts';
import { linesOf } from './lines.ts';
import {
  isObjectKey,
  keyAt,
  MANIFEST_PATH,
  objectPath,
  type Part,
  STATE_TABLE_NAMES,
  tablePath,
  writeManifest,
} from './parts.ts';
import { openSnapshot, writeRows } from './snapshot.ts';

export interface ExportOptions {
  /** Release that writes the export. */
  readonly release: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the step, and with its fraction where that is known. */
  readonly onProgress: (step: string, fraction?: number) => void;
}

/** Jobs whose results are listed together. */
const BATCH = 200;
/** Objects fetched at the same time. */
const FETCHES = 8;
/** Attempts to copy the input of jobs before the table of jobs is locked. */
const ROUNDS = 5;
/** Jobs whose input may be copied while it is locked. */
const FEW_JOBS = 20;

/**
 * Exports a store, which services may use meanwhile if its database is on a server: all rows are of one moment, and the objects
 * belong to these rows. Reading the parts throws the signal's reason.
 */
export function exportStore(store: OpenStore, options: ExportOptions) {
  /** Counts of the contents of the parts so far. */
  const counts = { accounts: 0, jobs: 0, objects: 0 };
  /** To be read once. */
  async function* parts(): AsyncGenerator<Part> {
    const directory = join(store.objects.spoolDirectory, createId());
    await mkdir(directory, { mode: 0o700 });
    try {
      const read = createReadParts(join(directory, 'checksums'));
      for await (const part of partsOf({ ...options, store, directory, counts })) {
        options.signal.throwIfAborted();
        if (keyAt(part.path) !== undefined) counts.objects++;
        yield read.recorded(part);
      }
      yield await read.checksums();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return { parts: parts(), counts };
}

interface Export extends ExportOptions {
  readonly store: OpenStore;
  /** Directory of temporary files. */
  readonly directory: string;
  readonly counts: Record<string, number>;
}

async function* partsOf(context: Export): AsyncGenerator<Part> {
  const { store, directory, release, clock, onProgress } = context;
  const createdOn = new Date(clock.wallTime());
  const manifest = writeManifest({ release, createdOn, migrations: await executedMigrations(store.db) });
  yield {
    path: MANIFEST_PATH,
    bytes: Buffer.byteLength(manifest),
    contents: Readable.from([Buffer.from(manifest)]),
  };
  onProgress('exporting jobs in progress');
  const copied = new Set<string>();
  if (!store.exclusive) {
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await idsInProgress(store.db, copied);
      if (ids.length <= FEW_JOBS) break;
      yield* objectParts(filesBelow(submittedPrefixes(ids), context), context);
      for (const id of ids) copied.add(id);
    }
  }
  const snapshot = await openSnapshot(store, clock);
  let submitted: readonly ObjectFile[];
  try {
    // Not yielded before the end of the snapshot: the service would wait for the reader of the export.
    submitted = await spooled(context, await idsInProgress(snapshot.db, copied));
    await snapshot.unlock();
    onProgress('exporting accounts and jobs');
    for (const table of STATE_TABLE_NAMES) {
      context.counts[table] = await writeRows(snapshot.db, table, {
        file: join(directory, tablePath(table)),
        signal: context.signal,
      });
    }
  } finally {
    await snapshot.close();
  }
  yield* objectParts(submitted, context);
  const deleted = yield* results(context);
  if (deleted.size > 0) await dropRows(context, deleted);
  for (const table of STATE_TABLE_NAMES) {
    const file = join(directory, tablePath(table));
    const { size: bytes } = await stat(file);
    yield { path: tablePath(table), bytes, contents: createReadStream(file) };
  }
}

/** Returns the ids of jobs in progress whose input has not been copied. */
async function idsInProgress(db: Kysely<Tables>, copied: ReadonlySet<string>): Promise<readonly string[]> {
  const rows = await db.selectFrom('jobs').select('id').where('status', '=', 'in_progress').execute();
  return rows.map(({ id }) => id).filter(id => !copied.has(id));
}

const submittedPrefixes = (ids: readonly string[]) => ids.map(id => `${SUBMITTED}/${id}`);

/** Copies the input and media of jobs to the directory, where they remain when the jobs end. */
async function spooled(context: Export, ids: readonly string[]): Promise<readonly ObjectFile[]> {
  const { store, directory } = context;
  const files: ObjectFile[] = [];
  for await (const { key, path } of filesBelow(submittedPrefixes(ids), context)) {
    const isOwn = store.exclusive || dirname(path) === directory;
    const own = isOwn ? path : join(directory, createId());
    // Objects are replaced as a whole, never changed. Some file systems have no links.
    if (!isOwn) await link(path, own).catch(() => copyFile(path, own));
    files.push({ key, path: own });
  }
  return files;
}

/** A file with the contents of an object. */
interface ObjectFile {
  readonly key: string;
  readonly path: string;
}

/** Yields the objects below prefixes; those that vanish belong to jobs that have ended, or were deleted. */
async function* filesBelow(
  prefixes: AsyncIterable<string> | Iterable<string>,
  { store, directory, signal }: Export,
): AsyncGenerator<ObjectFile> {
  const { objects } = store;
  const found = ahead(keysBelow(prefixes, store), FETCHES, async key => {
    signal.throwIfAborted();
    return { key, path: await objects.fileOf(key, directory) };
  });
  for await (const { key, path } of found) if (path !== undefined) yield { key, path };
}

/** Yields the objects in files, and removes those of the directory. */
async function* objectParts(
  files: AsyncIterable<ObjectFile> | Iterable<ObjectFile>,
  { directory }: Export,
): AsyncGenerator<Part> {
  for await (const { key, path } of files) {
    await using handle = await open(path).catch(undefinedIfMissing);
    if (!handle) continue;
    const { size: bytes } = await handle.stat();
    yield { path: objectPath(key), bytes, contents: handle.createReadStream({ autoClose: false }) };
    if (dirname(path) === directory) await rm(path, { force: true });
  }
}

async function* keysBelow(
  prefixes: AsyncIterable<string> | Iterable<string>,
  { objects }: OpenStore,
): AsyncGenerator<string> {
  const lists = ahead(prefixes, FETCHES, async prefix => {
    const keys: string[] = [];
    for await (const name of objects.names(prefix)) keys.push(`${prefix}/${name}`);
    return keys;
  });
  for await (const keys of lists) yield* keys.filter(isObjectKey);
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

interface ExportedJob {
  readonly id: string;
  readonly status: string;
  readonly stage: string | null;
  readonly results_id: string | null;
}

/** Yields the results of the jobs that have been written; returns the ids of those that were deleted meanwhile. */
async function* results(context: Export): AsyncGenerator<Part, ReadonlySet<string>> {
  const { store, directory, onProgress } = context;
  const path = tablePath('jobs');
  const file = join(directory, path);
  const { size } = await stat(file);
  const deleted = new Set<string>();
  let bytes = 0;
  let batch: ExportedJob[] = [];
  async function* resultsOfBatch(): AsyncGenerator<Part> {
    const prefixes = batch.map(({ id, results_id }) => resultsPrefix(id, results_id));
    yield* objectParts(filesBelow(prefixes, context), context);
    const ids = batch.map(({ id }) => id);
    batch = [];
    if (store.exclusive) return;
    for (const id of await missingOf(store.db, ids)) deleted.add(id);
  }
  for await (const line of linesOf(path, createReadStream(file))) {
    bytes += Buffer.byteLength(line) + 1;
    onProgress('exporting transcripts', bytes / size);
    const job: ExportedJob = JSON.parse(line);
    // A job that waits for a person has results of the machine.
    if (job.status === 'done' || job.stage !== null) batch.push(job);
    if (batch.length === BATCH) yield* resultsOfBatch();
  }
  yield* resultsOfBatch();
  return deleted;
}

async function missingOf(db: Kysely<Tables>, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('jobs').select('id').where('id', 'in', ids).execute();
  const present = new Set(rows.map(({ id }) => id));
  return ids.filter(id => !present.has(id));
}

/** Removes the rows of deleted jobs, whose results may be missing. */
async function dropRows({ directory }: Export, deleted: ReadonlySet<string>): Promise<void> {
  const path = tablePath('jobs');
  const file = join(directory, path);
  async function* remaining(): AsyncGenerator<string> {
    for await (const line of linesOf(path, createReadStream(file))) {
      const { id }: ExportedJob = JSON.parse(line);
      if (!deleted.has(id)) yield `${line}\n`;
    }
  }
  const draft = `${file}.part`;
  await writeFile(draft, remaining(), { mode: 0o600 });
  await rename(draft, file);
}
