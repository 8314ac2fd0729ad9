import { CamelCasePlugin, type Dialect, Kysely, type LogEvent, PostgresDialect } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { migrate } from './migrations.ts';
import { CONNECT_TIMEOUT_MS, createServerPool, type PoolFigures, QUERY_TIMEOUT_MS } from './serverPool.ts';
import { isLoginRefused } from './storeErrors.ts';
import type { Tables } from './tables.ts';
import { type Unreachable, untilReachable } from './untilReachable.ts';

export interface ServerDatabaseOptions {
  readonly clock: Clock;
  /** Called when a connection was lost or could not be made; it is retried. */
  readonly onError: (error: unknown) => void;
  /** Called for each failed attempt. */
  readonly onUnreachable?: (unreachable: Unreachable) => void;
  /** Aborting it ends the attempts. */
  readonly signal: AbortSignal;
  /** Default: the time of statements is not recorded. */
  readonly instruments?: Instruments;
}

/**
 * Opens a database on a PostgreSQL server, which other services may use as well; waits until the server can be reached.
 *
 * @throws RxscribeError `store` when the server refuses the address, or the migration fails; the signal's reason
 */
export async function openServerDatabase(url: string, options: ServerDatabaseOptions): Promise<Database> {
  return untilReachable(async () => {
    const pool = createServerPool(url, options.onError);
    const database = await migrated(new PostgresDialect({ pool }), {
      exclusive: false,
      queueDatabase: queueConnection(url),
      connections: pool.figures,
      instruments: options.instruments,
    });
    pool.limitQueries(QUERY_TIMEOUT_MS);
    return database;
  }, options);
}

/** The connection of the queue to the database. */
export type QueueDatabase = Pick<ConstructorOptions, 'backend' | 'db' | 'connectionString'>;

/** Connections of the queue to a server. */
const QUEUE_CONNECTIONS = 4;

function queueConnection(connectionString: string): QueueDatabase {
  // Options of the driver, which the types of the queue lack. Without them, a connection that is lost without a sign would
  // stop the queue for as long as the system waits.
  const limits = {
    keepAlive: true,
    query_timeout: QUERY_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    max: QUEUE_CONNECTIONS,
  };
  return { backend: 'postgres', connectionString, ...limits };
}

/** An open database with the current schema. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** True when only this process uses it: rows in progress were then left by an earlier one. */
  readonly exclusive: boolean;
  readonly queueDatabase: QueueDatabase;
  /** Returns the connections to a server, without those of the queue; absent without a server. */
  readonly connections?: () => PoolFigures;
  close(): Promise<void>;
}

/**
 * Migrates a database to the current schema.
 *
 * @throws RxscribeError `store`, after closing the connection
 */
export async function migrated(
  dialect: Dialect,
  { instruments, ...options }: Omit<Database, 'db' | 'close'> & Pick<ServerDatabaseOptions, 'instruments'>,
): Promise<Database> {
  const db = new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(instruments && { log: event => recordStatement(event, instruments) }),
  });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    const message = isLoginRefused(error)
      ? `Cannot connect to the database: ${reasonOf(error)}. Check the user, password and name in its address.`
      : `Cannot migrate the database: ${reasonOf(error)}.`;
    throw new RxscribeError('store', message, { cause: error });
  }
  return { db, ...options, close: () => db.destroy() };
}

function recordStatement({ level, queryDurationMillis }: LogEvent, instruments: Instruments): void {
  const outcome = level === 'error' ? 'error' : 'ok';
  instruments.record('storeDuration', queryDurationMillis / 1000, { server: 'database', outcome });
}
