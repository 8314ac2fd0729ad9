import { PostgresDialect } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { delay } from '../../base/clock.ts';
import { type Database, migrated } from './database.ts';
import { unreachableReason } from './databaseGone.ts';
import { createServerPool, QUERY_TIMEOUT_MS } from './serverPool.ts';

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
