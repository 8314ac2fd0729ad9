import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { checkDirectoryIdentity } from './directoryIdentity.ts';
import { openEmbeddedDatabase, openMemoryDatabase } from './embeddedDatabase.ts';
import { type ClosableObjects, closableObjects, createFileObjects, type Objects } from './fileObjects.ts';
import { type OwnDirectory, openOwnSpool, openSharedSpool, ownTemporaryDirectory } from './ownDirectory.ts';
import { prepareDirectory } from './prepareDirectory.ts';
import { type Database, openServerDatabase } from './serverDatabase.ts';
import { checkDatabaseUrl } from './serverPool.ts';

/** A folder of the objects, so that both are on one file system. */
const SPOOL = '.spool';

/** The data of a service: rows and objects. */
export interface Store {
  /** Resolves when the store is open; rejects when it cannot be opened. */
  readonly opened: Promise<OpenStore>;
  /** Ends the attempts to reach a database server; has no effect on an opening that succeeds. */
  giveUp(): void;
  /** Closes the store, after an opening in progress. Idempotent. */
  close(): Promise<void>;
}

export interface OpenStore extends Pick<Database, 'db' | 'exclusive' | 'queueDatabase'> {
  readonly objects: Objects;
}

export interface StoreOptions {
  /**
   * Directory of all data. Default: rows in memory and objects in a temporary directory, removed on close; the next service
   * removes that of a killed one.
   */
  readonly dataDirectory?: string;
  /**
   * A PostgreSQL server for the rows instead of an embedded database; objects stay in the directory. Several services may
   * use it, and then share the directory.
   */
  readonly databaseUrl?: string;
  readonly clock: Clock;
  /** Called when background work failed, which is retried. */
  readonly onError: (error: unknown) => void;
  /** Called when the database server cannot be reached, with the reason; it is retried. Default: {@link onError}. */
  readonly onUnreachable?: (reason: string) => void;
}

/**
 * Opens a store in the background, after checking the options and the directory.
 *
 * @throws InvalidArgumentError for an invalid database address, or one without a data directory for the objects
 * @throws RxscribeError `store` when the directory is read-only, full, in use, or of another version
 */
export function openStore(options: StoreOptions): Store {
  const { dataDirectory, databaseUrl } = options;
  if (databaseUrl !== undefined && dataDirectory === undefined) {
    throw new InvalidArgumentError(
      "Option 'databaseUrl' requires 'dataDirectory', for media and transcripts.",
    );
  }
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl);
  const isShared = databaseUrl !== undefined;
  const lock = dataDirectory === undefined ? undefined : prepareDirectory(dataDirectory, { isShared });
  const abort = new AbortController();
  const temporary = dataDirectory === undefined ? ownTemporaryDirectory() : undefined;
  const opening = open(options, temporary, abort.signal).catch(error => {
    if (error instanceof RxscribeError) throw error;
    const where = dataDirectory === undefined ? '' : ` in '${dataDirectory}'`;
    const message = `Cannot open the store${where}: ${reasonOf(error)}.`;
    throw new RxscribeError('store', message, { cause: error });
  });
  const opened = opening.then(({ database, objects }) => ({ ...database, objects }));
  // A rejection that nobody waits for must not end the process.
  opened.catch(() => {});
  let closing: Promise<void> | undefined;
  const close = async () => {
    abort.abort();
    await opening
      .then(({ objects, database }) => Promise.all([objects.close(), database.close()]))
      .catch(() => {});
    await temporary?.then(directory => directory.close()).catch(() => {});
    lock?.release();
  };
  const once = () => {
    closing ??= close();
    return closing;
  };
  return { opened, giveUp: () => abort.abort(), close: once };
}

async function open(
  options: StoreOptions,
  temporary: Promise<OwnDirectory> | undefined,
  signal: AbortSignal,
): Promise<{ database: Database; objects: ClosableObjects }> {
  const directory = join(options.dataDirectory ?? (await temporary)!.path, 'objects');
  const isShared = options.databaseUrl !== undefined;
  const spool = await (isShared ? openSharedSpool : openOwnSpool)(join(directory, SPOOL));
  const objects = closableObjects(createFileObjects(directory, spool.directory), spool);
  let database: Database | undefined;
  try {
    database = await openDatabase(options, signal);
    if (isShared) await checkDirectoryIdentity(database.db, directory);
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
