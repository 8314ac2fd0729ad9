import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { checkBelonging } from './belonging.ts';
import { type ClosableObjects, closableObjects } from './closableObjects.ts';
import type { Database } from './database.ts';
import { type DirectoryLock, lockDirectory } from './directoryLock.ts';
import { checkDatabaseVersion, openEmbeddedDatabase, openMemoryDatabase } from './embeddedDatabase.ts';
import { createFileObjects } from './fileObjects.ts';
import type { Objects } from './objects.ts';
import { openServerDatabase } from './serverDatabase.ts';
import { openOwnSpool, openSharedSpool } from './spool.ts';

/** Below the objects, to be of one file system with them. */
const SPOOL = '.spool';

/** All that a service keeps. */
export interface Store {
  /** Resolves when the store is open; rejects when it cannot be opened. */
  readonly opened: Promise<OpenStore>;
  /** Waits for the opening, if it is under way. Idempotent. */
  close(): Promise<void>;
}

export interface OpenStore extends Pick<Database, 'db' | 'exclusive' | 'queueDatabase'> {
  readonly objects: Objects;
}

export interface StoreOptions {
  /** Where everything is kept. Default: rows in memory and objects in a temporary directory, gone on close. */
  readonly dataDirectory?: string;
  /**
   * A PostgreSQL server for the rows, instead of an embedded one; objects stay in the directory. Several services may use
   * it, which share the directory then.
   */
  readonly databaseUrl?: string;
  readonly clock: Clock;
  /** Something in the background failed and will be tried again. */
  readonly onError: (error: unknown) => void;
}

/**
 * Opens a store, in the background; what tells at once that it cannot be opened is looked at before this returns.
 *
 * @throws InvalidArgumentError for a database server without a directory for the objects
 * @throws RxscribeError `store` when the directory is in use, or of another version
 */
export function openStore(options: StoreOptions): Store {
  const { dataDirectory, databaseUrl } = options;
  if (databaseUrl !== undefined && dataDirectory === undefined) {
    throw new InvalidArgumentError(
      'open store: a database URL wants a data directory for transcripts as well',
    );
  }
  const lock = dataDirectory === undefined ? undefined : prepareDirectory(dataDirectory, databaseUrl);
  const abort = new AbortController();
  const temporary = dataDirectory === undefined ? mkdtemp(join(tmpdir(), 'rxscribe-')) : undefined;
  const opening = open(options, temporary, abort.signal);
  const opened = opening.then(({ database, objects }) => ({ ...database, objects }));
  // Whoever needs it sees the failure; that nobody did yet must not end the process.
  opened.catch(() => {});
  let closing: Promise<void> | undefined;
  const close = async () => {
    abort.abort();
    await opening
      .then(({ objects, database }) => Promise.all([objects.close(), database.close()]))
      .catch(() => {});
    if (temporary) await rm(await temporary, { recursive: true, force: true }).catch(() => {});
    lock?.release();
  };
  const once = () => {
    closing ??= close();
    return closing;
  };
  return { opened, close: once };
}

function prepareDirectory(directory: string, databaseUrl: string | undefined): DirectoryLock {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new RxscribeError('store', `open data directory: ${messageOf(cause)}`, { cause });
  }
  const lock = lockDirectory(directory, { isShared: databaseUrl !== undefined });
  try {
    if (databaseUrl === undefined) checkDatabaseVersion(join(directory, 'db'));
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function open(
  options: StoreOptions,
  temporary: Promise<string> | undefined,
  signal: AbortSignal,
): Promise<{ database: Database; objects: ClosableObjects }> {
  const directory = join(options.dataDirectory ?? (await temporary)!, 'objects');
  const isShared = options.databaseUrl !== undefined;
  const spool = await (isShared ? openSharedSpool : openOwnSpool)(join(directory, SPOOL));
  const objects = closableObjects(createFileObjects(directory, spool.directory), spool);
  let database: Database | undefined;
  try {
    database = await openDatabase(options, signal);
    if (isShared) await checkBelonging(database.db, directory);
    return { database, objects };
  } catch (error) {
    await Promise.all([objects.close(), database?.close()]);
    throw error;
  }
}

function openDatabase(options: StoreOptions, signal: AbortSignal): Promise<Database> {
  const { dataDirectory, databaseUrl } = options;
  if (dataDirectory === undefined) return openMemoryDatabase(options);
  if (databaseUrl !== undefined) return openServerDatabase(databaseUrl, { ...options, signal });
  return openEmbeddedDatabase(join(dataDirectory, 'db'), options);
}
