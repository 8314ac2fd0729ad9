import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { isDatabaseGone } from './databaseGone.ts';

const INT8_OID = 20;
/** For a server that does not answer at all. */
const CONNECT_TIMEOUT_MS = 10_000;
/** For a statement on a connection over which nothing comes any more; no statement of a service takes as long. */
export const QUERY_TIMEOUT_MS = 30_000;

/** Modes of encryption that the driver knows. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** A pool of connections to a database server. */
export interface ServerPool extends PostgresPool {
  /** Lets a statement fail that takes longer; until this is called, as during migrations, it may take any time. */
  limitQueries(timeoutMs: number): void;
}

/**
 * Connections to a database server. What says that the server is away is a RxscribeError `store`: whoever asked may ask
 * again, and nothing was wrong with the statement.
 */
export function createServerPool(connectionString: string, onError: (error: unknown) => void): ServerPool {
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
  let timeoutMs: number | undefined;
  return {
    options: pool.options,
    connect: async () => tellingFaults(await pool.connect().catch(rethrow), () => timeoutMs),
    end: () => pool.end(),
    limitQueries(limitMs) {
      timeoutMs = limitMs;
    },
  };
}

function tellingFaults(client: pg.PoolClient, timeoutMs: () => number | undefined): PostgresPoolClient {
  let lost: unknown;
  const query = async (text: string, values: unknown[]) => {
    // Such as the end of a transaction whose last statement timed out: it would wait for that one.
    if (lost !== undefined) return rethrow(lost);
    try {
      // An option that the driver's types lack.
      const limit = { query_timeout: timeoutMs() };
      return await client.query({ text, values, ...limit });
    } catch (error) {
      if (isDatabaseGone(error)) lost = error;
      return rethrow(error);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: destroy => client.release(destroy || lost !== undefined),
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
    const { port } = new pg.Client({ connectionString: url });
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('port: wanted 1 to 65535');
    // The driver passes over a mode that it does not know.
    const modes = new URLSearchParams(/\?.*/s.exec(url)?.[0]).getAll('sslmode');
    if (modes.some(mode => !SSL_MODES.includes(mode))) {
      throw new Error(`sslmode: wanted one of ${SSL_MODES.join(', ')}`);
    }
  } catch (error) {
    throw new InvalidArgumentError(`${wanted}, found one that cannot be read: ${messageOf(error)}`);
  }
}
