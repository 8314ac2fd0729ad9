import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import { delay } from '../../base/clock.ts';
import { type Database, migrated } from './database.ts';

/** Between two tries to reach a database server that does not answer. */
export const DATABASE_RETRY_MS = 2000;
const INT8_OID = 20;

export interface ServerDatabaseOptions {
  readonly clock: Clock;
  /** A connection that was lost or could not be made; it is tried again. */
  readonly onError: (error: unknown) => void;
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
      return await migrated(new PostgresDialect({ pool: createPool(url, options) }), {
        exclusive: false,
        queueDatabase: { backend: 'postgres', connectionString: url },
      });
    } catch (error) {
      options.onError(error);
      await delay(DATABASE_RETRY_MS, options);
    }
  }
}

function createPool(connectionString: string, options: ServerDatabaseOptions): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  const pool = new pg.Pool({ connectionString, types });
  // A connection that dies while idle has nobody else to tell, and would end the process.
  pool.on('error', options.onError);
  return pool;
}
