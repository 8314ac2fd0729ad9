import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { isDatabaseGone } from './databaseGone.ts';

const INT8_OID = 20;
/** For a server that does not answer at all. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connections to a database server. What says that the server is away is a RxscribeError `store`: whoever asked may ask
 * again, and nothing was wrong with the statement.
 */
export function createServerPool(connectionString: string, onError: (error: unknown) => void): PostgresPool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  const pool = new pg.Pool({
    connectionString,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // A connection that dies while idle has nobody else to tell, and would end the process.
  pool.on('error', onError);
  // So would one that dies in a transaction, between two statements; the next one tells.
  pool.on('connect', client => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => tellingFaults(await pool.connect().catch(rethrow)),
    end: () => pool.end(),
  };
}

function tellingFaults(client: pg.PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values);
    } catch (error) {
      isLost ||= isDatabaseGone(error);
      return rethrow(error);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: destroy => client.release(destroy || isLost),
  };
}

function rethrow(error: unknown): never {
  if (!isDatabaseGone(error)) throw error;
  throw new RxscribeError('store', `ask database server: ${messageOf(error)}`, { cause: error });
}
