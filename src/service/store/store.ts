import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { checkBelonging } from './belonging.ts';
import { openEmbeddedDatabase, openMemoryDatabase } from './embeddedDatabase.ts';
import type { Objects } from './fileObjects.ts';
import { type ClosableObjects, closableObjects, createFileObjects } from './fileObjects.ts';
import { type OwnDirectory, openOwnSpool, openSharedSpool, ownTemporaryDirectory } from './ownDirectory.ts';
import { prepareDirectory } from './prepareDirectory.ts';
import type { Database } from './serverDatabase.ts';
import { openServerDatabase } from './serverDatabase.ts';
import { checkDatabaseUrl } from './serverPool.ts';

/** Below the objects, to be of one file system with them. */
const SPOOL = '.spool';

/** All that a service keeps. */
export interface Store {
  /** Resolves when the store is open; rejects when it cannot be opened. */
  readonly opened: Promise<OpenStore>;
  /** Ends the wait for a database server that cannot be reached; an opening that goes well is not disturbed. */
  giveUp(): void;
  /** Waits for the opening, if it is under way. Idempotent. */
  close(): Promise<void>;
}

export interface OpenStore extends Pick<Database, 'db' | 'exclusive' | 'queueDatabase'> {
  readonly objects: Objects;
}

export interface StoreOptions {
  /**
   * Where everything is kept. Default: rows in memory and objects in a temporary directory, gone on close; that of a process
   * that was killed is removed by the next one.
   */
  readonly dataDirectory?: string;
  /**
   * A PostgreSQL server for the rows, instead of an embedded one; objects stay in the directory. Several services may use
   * it, which share the directory then.
   */
  readonly databaseUrl?: string;
  readonly clock: Clock;
  /** Something in the background failed and will be tried again. */
  readonly onError: (error: unknown) => void;
  /** The database server cannot be reached, for a reason; it is tried again. Default: {@link onError}. */
  readonly onUnreachable?: (reason: string) => void;
}

/**
 * Opens a store, in the background; what tells at once that it cannot be opened is looked at before this returns.
 *
 * @throws InvalidArgumentError for an address of a database that is none, or one without a directory for the objects
 * @throws RxscribeError `store` when the directory cannot be written, is full, in use, or of another version
 */
export function openStore(options: StoreOptions): Store {
  const { dataDirectory, databaseUrl } = options;
  if (databaseUrl !== undefined && dataDirectory === undefined) {
    throw new InvalidArgumentError(
      'open store: a database URL wants a data directory for transcripts as well',
    );
  }
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl);
  const isShared = databaseUrl !== undefined;
  const lock = dataDirectory === undefined ? undefined : prepareDirectory(dataDirectory, { isShared });
  const abort = new AbortController();
  const temporary = dataDirectory === undefined ? ownTemporaryDirectory() : undefined;
  const opening = open(options, temporary, abort.signal).catch(error => {
    if (error instanceof RxscribeError) throw error;
    const message = `open store${dataDirectory === undefined ? '' : ` in ${dataDirectory}`}: ${messageOf(error)}`;
    throw new RxscribeError('store', message, { cause: error });
  });
  const opened = opening.then(({ database, objects }) => ({ ...database, objects }));
  // Whoever needs it sees the failure; that nobody did yet must not end the process.
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
