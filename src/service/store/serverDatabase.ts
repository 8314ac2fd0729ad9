import { CamelCasePlugin, type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { ConstructorOptions } from 'pg-boss';
import type { Clock } from '../../base/clock.ts';
import { delay } from '../../base/clock.ts';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { unreachableReason } from './databaseGone.ts';
import { migrations } from './migrations.ts';
import { createServerPool, QUERY_TIMEOUT_MS } from './serverPool.ts';
import type { Tables } from './tables.ts';

/** Between two tries to reach a database server that does not answer. */
export const DATABASE_RETRY_MS = 2000;

export interface ServerDatabaseOptions {
  readonly clock: Clock;
  /** A connection that was lost or could not be made; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Told once a try, with the reason. */
  readonly onUnreachable?: (reason: string) => void;
  /** Aborting gives up. */
  readonly signal: AbortSignal;
}

/**
 * Opens a database on a PostgreSQL server, which other services may use as well; waits until the server is there.
 *
 * @throws the signal's reason
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
      if (options.onUnreachable) options.onUnreachable(unreachableReason(error));
      else options.onError(error);
      await delay(DATABASE_RETRY_MS, options);
    }
  }
}

/** How the queue reaches the database. */
export type QueueDatabase = Pick<ConstructorOptions, 'backend' | 'db' | 'connectionString'>;

/** An open database of the present shape. */
export interface Database {
  readonly db: Kysely<Tables>;
  /** This process alone uses it: whatever an earlier one left in progress is orphaned. */
  readonly exclusive: boolean;
  readonly queueDatabase: QueueDatabase;
  close(): Promise<void>;
}

/**
 * Brings a database to the present shape.
 *
 * @throws RxscribeError `store`; the connection is closed then
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
    throw new RxscribeError('store', `migrate database: ${messageOf(error)}`, { cause: error });
  }
  return { db, ...options, close: () => db.destroy() };
}
