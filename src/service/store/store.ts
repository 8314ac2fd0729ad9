import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { type Instruments, noInstruments } from '../telemetry/createInstruments.ts';
import type { DirectoryLock } from './directoryLock.ts';
import { openEmbeddedDatabase, openMemoryDatabase } from './embeddedDatabase.ts';
import { createFileObjects } from './fileObjects.ts';
import { type ClosableObjects, closableObjects, measuredObjects, type Objects } from './objects.ts';
import { checkObjectsIdentity } from './objectsIdentity.ts';
import { type OwnDirectory, openOwnSpool, openSharedSpool, ownTemporaryDirectory } from './ownDirectory.ts';
import { prepareDirectory } from './prepareDirectory.ts';
import { readS3Place, type S3Place } from './s3Place.ts';
import { type Database, openServerDatabase } from './serverDatabase.ts';
import { checkDatabaseUrl } from './serverPool.ts';
import { type Unreachable, untilReachable } from './untilReachable.ts';

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

export interface OpenStore extends Omit<Database, 'close'> {
  readonly objects: Objects;
  /** True when the objects are files. */
  readonly hasFileObjects: boolean;
}

export interface StoreOptions {
  /**
   * Directory of all data. Default: rows in memory and objects in a temporary directory, removed on close; the next service
   * removes that of a killed one.
   */
  readonly dataDirectory?: string;
  /**
   * A PostgreSQL server for the rows instead of an embedded database. Several services may use it, and then share the
   * directory, or the bucket for the objects.
   */
  readonly databaseUrl?: string;
  /** Bucket for the objects, with a database server only. Default: files in the directory. */
  readonly objects?: S3Place;
  readonly clock: Clock;
  /** Called when background work failed, which is retried. */
  readonly onError: (error: unknown) => void;
  /** Called when a server cannot be reached, with its name and the reason; it is retried. Default: {@link onError}. */
  readonly onUnreachable?: (unreachable: Unreachable) => void;
  /** Default: the time of calls is not recorded. */
  readonly instruments?: Instruments;
}

/**
 * Opens a store in the background, after checking the options and the directory.
 *
 * @throws InvalidArgumentError for an invalid database address, or one without a data directory for the objects
 * @throws RxscribeError `store` when the directory is read-only, full, in use, or of another version
 */
export function openStore(options: StoreOptions): Store {
  const { dataDirectory } = options;
  const lock = lockPlace(options);
  const abort = new AbortController();
  const place =
    dataDirectory === undefined
      ? ownTemporaryDirectory()
      : Promise.resolve({ path: dataDirectory, close: async () => {} });
  const opening = open(options, place, abort.signal).catch(error => {
    if (error instanceof RxscribeError) throw error;
    const where = dataDirectory === undefined ? '' : ` in '${dataDirectory}'`;
    const message = `Cannot open the store${where}: ${reasonOf(error)}.`;
    throw new RxscribeError('store', message, { cause: error });
  });
  const hasFileObjects = options.objects === undefined;
  const opened = opening.then(({ database, objects }) => ({ ...database, objects, hasFileObjects }));
  // An unhandled rejection would end the process.
  opened.catch(() => {});
  let closing: Promise<void> | undefined;
  const close = async () => {
    abort.abort();
    await opening
      .then(({ objects, database }) => Promise.all([objects.close(), database.close()]))
      .catch(() => {});
    await place.then(directory => directory.close()).catch(() => {});
    lock?.release();
  };
  const once = () => {
    closing ??= close();
    return closing;
  };
  return { opened, giveUp: () => abort.abort(), close: once };
}

type StorePlace = Pick<StoreOptions, 'dataDirectory' | 'databaseUrl' | 'objects'>;

/** Checks the place of a store as {@link openStore} does, which throws the same errors. */
export function checkPlace(place: StorePlace): void {
  lockPlace(place)?.release();
}

function lockPlace({ dataDirectory, databaseUrl, objects }: StorePlace): DirectoryLock | undefined {
  if (databaseUrl !== undefined && dataDirectory === undefined) {
    throw new InvalidArgumentError(
      "Option 'databaseUrl' requires 'dataDirectory', for media and transcripts.",
    );
  }
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl);
  if (objects) {
    readS3Place(objects);
    if (databaseUrl === undefined) {
      throw new InvalidArgumentError(
        "Option 'objects' requires 'databaseUrl': an embedded database has its objects beside it.",
      );
    }
  }
  const isShared = databaseUrl !== undefined;
  return dataDirectory === undefined ? undefined : prepareDirectory(dataDirectory, { isShared });
}

async function open(
  options: StoreOptions,
  place: Promise<OwnDirectory>,
  signal: AbortSignal,
): Promise<{ database: Database; objects: ClosableObjects }> {
  const directory = join((await place).path, 'objects');
  const isShared = options.databaseUrl !== undefined;
  const spool = await (isShared ? openSharedSpool : openOwnSpool)(join(directory, SPOOL));
  let database: Database | undefined;
  let objects: ClosableObjects | undefined;
  try {
    const created = await createObjects(options, directory, spool.path);
    objects = closableObjects(measuredObjects(created, { instruments: noInstruments, ...options }), spool);
    database = await openDatabase(options, signal);
    await checkObjects(database, objects, { ...options, signal });
    return { database, objects };
  } catch (error) {
    await Promise.all([objects?.close() ?? spool.close(), database?.close()]);
    throw error;
  }
}

async function createObjects(
  { objects: place }: StoreOptions,
  directory: string,
  spoolDirectory: string,
): Promise<Objects> {
  if (!place) return createFileObjects(directory, spoolDirectory);
  // Loads the client, which few services need.
  const { createS3Objects } = await import('./s3Objects.ts');
  return createS3Objects(place, spoolDirectory);
}

/** Checks that the objects are those of the database; waits until they can be reached. */
async function checkObjects(
  { db }: Database,
  objects: Objects,
  options: StoreOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { objects: place, dataDirectory, databaseUrl } = options;
  if (databaseUrl === undefined) return;
  const where = place ? `Bucket '${place.url}'` : `Data directory '${dataDirectory}'`;
  await untilReachable(() => checkObjectsIdentity(db, objects, where), options);
}

function openDatabase(options: StoreOptions, signal: AbortSignal): Promise<Database> {
  const { dataDirectory, databaseUrl } = options;
  if (dataDirectory === undefined) return openMemoryDatabase(options);
  if (databaseUrl !== undefined) return openServerDatabase(databaseUrl, { ...options, signal });
  return openEmbeddedDatabase(join(dataDirectory, 'db'), options);
}
