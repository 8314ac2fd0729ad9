import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { isDatabaseGone } from './storeErrors.ts';

const INT8_OID = 20;
/** Milliseconds to connect to a server that does not answer. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds for a statement on a dead connection; no statement of a service takes as long. */
export const QUERY_TIMEOUT_MS = 30_000;

/** Encryption modes supported by the driver. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** A pool of connections to a database server. */
export interface ServerPool extends PostgresPool {
  /** Makes longer statements fail; without it, as during migrations, they may take any time. */
  limitQueries(timeoutMs: number): void;
}

/**
 * Creates a pool of connections to a database server. Errors of an unreachable server are RxscribeError `store`: the
 * statement may be repeated.
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
  // Without a listener, a connection that fails while idle would end the process.
  pool.on('error', onError);
  // So would one that fails within a transaction, between two statements; the next statement reports the failure.
  pool.on('connect', client => client.on('error', () => {}));
  let timeoutMs: number | undefined;
  return {
    options: pool.options,
    connect: async () => reportingClient(await pool.connect().catch(rethrow), () => timeoutMs),
    end: () => pool.end(),
    limitQueries(limitMs) {
      timeoutMs = limitMs;
    },
  };
}

function reportingClient(client: pg.PoolClient, timeoutMs: () => number | undefined): PostgresPoolClient {
  let lost: unknown;
  const query = async (text: string, values: unknown[]) => {
    // For example the end of a transaction whose last statement timed out, which would wait for that one.
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
  throw new RxscribeError('store', `The database server cannot be reached: ${reasonOf(error)}.`, {
    cause: error,
  });
}

/**
 * Checks the address of a database server, without connecting.
 *
 * @throws InvalidArgumentError when it is not valid; the message contains neither user nor password
 */
export function checkDatabaseUrl(url: string): void {
  const allowed = 'allowed: postgres://USER:PASSWORD@HOST:5432/NAME';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    const found = scheme ? `, not of ${scheme}` : '';
    throw new InvalidArgumentError(
      `The address of the database must be one of PostgreSQL${found} (${allowed}).`,
    );
  }
  try {
    // Parsed by the driver; nothing is sent.
    const { port } = new pg.Client({ connectionString: url });
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error('its port must be from 1 to 65535');
    // The driver ignores unknown modes.
    const modes = new URLSearchParams(/\?.*/s.exec(url)?.[0]).getAll('sslmode');
    if (modes.some(mode => !SSL_MODES.includes(mode))) {
      throw new Error(`its sslmode must be one of ${SSL_MODES.join(', ')}`);
    }
  } catch (error) {
    throw new InvalidArgumentError(
      `The address of the database is not valid: ${reasonOf(error)} (${allowed}).`,
    );
  }
}
