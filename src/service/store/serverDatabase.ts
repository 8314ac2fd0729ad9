import { CamelCasePlugin, type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { ConstructorOptions } from 'pg-boss';
import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { migrations } from './migrations.ts';
import { createServerPool, QUERY_TIMEOUT_MS } from './serverPool.ts';
import { isDatabaseUnreachable, isLoginRefused, unreachableReason } from './storeErrors.ts';
import type { Tables } from './tables.ts';

/** Milliseconds between two attempts to reach a database server. */
const DATABASE_RETRY_MS = 2000;

export interface ServerDatabaseOptions {
  readonly clock: Clock;
  /** Called when a connection was lost or could not be made; it is retried. */
  readonly onError: (error: unknown) => void;
  /** Called for each failed attempt, with the reason. */
  readonly onUnreachable?: (reason: string) => void;
  /** Aborting it ends the attempts. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database on a PostgreSQL server, which other services may use as well; waits until the server can be reached.
 *
 * @throws RxscribeError `store` when the server refuses the address, or the migration fails; the signal's reason
 */
export async function openServerDatabase(url: string, options: ServerDatabaseOptions): Promise<Database> {
  for (;;) {
    options.signal.throwIfAborted();
    try {
      const pool = createServerPool(url, options.onError);
      const database = await migrated(new PostgresDialect({ pool }), {
        exclusive: false,
        queueDatabase: { backend: 'postgres', connectionString: url },
      });
      pool.limitQueries(QUERY_TIMEOUT_MS);
      return database;
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      if (options.onUnreachable) options.onUnreachable(unreachableReason(error));
      else options.onError(error);
      await delay(DATABASE_RETRY_MS, options);
    }
  }
}

/** The connection of the queue to the database. */
export type QueueDatabase = Pick<ConstructorOptions, 'backend' | 'db' | 'connectionString'>;

/** An open database with the current schema. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** True when only this process uses it: rows in progress were then left by an earlier one. */
  readonly exclusive: boolean;
  readonly queueDatabase: QueueDatabase;
  close(): Promise<void>;
}

/**
 * Migrates a database to the current schema.
 *
 * @throws RxscribeError `store`, after closing the connection
 */
export async function migrated(
  dialect: Dialect,
  options: Pick<Database, 'exclusive' | 'queueDatabase'>,
): Promise<Database> {
  const db = new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    const message = isLoginRefused(error)
      ? `Cannot connect to the database: ${reasonOf(error)}. Check the user, password and name in its address.`
      : `Cannot migrate the database: ${reasonOf(error)}.`;
    throw new RxscribeError('store', message, { cause: error });
  }
  return { db, ...options, close: () => db.destroy() };
}
