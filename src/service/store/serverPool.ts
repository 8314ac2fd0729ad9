import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
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

/**
 * Checks the address of a database server, without asking the server.
 *
 * @throws InvalidArgumentError when it is none; the message holds neither user nor password
 */
export function checkDatabaseUrl(url: string): void {
  const wanted = 'database: wanted an address as postgres://USER:PASSWORD@HOST:5432/NAME';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new InvalidArgumentError(`${wanted}, found ${scheme ? `one of ${scheme}` : 'something else'}`);
  }
  try {
    // The driver's own reading of it; nothing is sent.
    new pg.Client({ connectionString: url });
  } catch (error) {
    throw new InvalidArgumentError(`${wanted}, found one that cannot be read: ${messageOf(error)}`);
  }
}
