import type { PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { type Clock, delay } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { every } from '../../base/wait/every.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { isDatabaseGone } from './storeErrors.ts';
import { STORE_RETRY_MS } from './untilReachable.ts';

const INT8_OID = 20;
/** Milliseconds after which the server ends a transaction of a process that stands still, and with it its locks. */
const IDLE_TRANSACTION_MS = 15_000;
/** Milliseconds to connect to a server that does not answer. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** Milliseconds for a statement on a dead connection; no statement of a service takes as long. */
export const QUERY_TIMEOUT_MS = 30_000;

/** Encryption modes supported by the driver. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The connections of a pool. */
export interface PoolFigures {
  readonly used: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/**
 * Creates a pool of connections to a database server. Errors of an unreachable server are RxscribeError `store`: the
 * statement may be repeated.
 */
export function createServerPool(connectionString: string, onError: (error: unknown) => void) {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  const pool = new pg.Pool({
    connectionString,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Set by a statement: connection poolers refuse it as a parameter of the connection.
    onConnect: client => client.query(`set idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`),
  });
  // Without a listener, a connection that fails while idle would end the process.
  pool.on('error', onError);
  // The same applies to a connection that fails within a transaction, between two statements; the next statement reports the
  // failure.
  pool.on('connect', client => client.on('error', () => {}));
  let timeoutMs: number | undefined;
  return {
    options: pool.options,
    connect: async () => reportingClient(await pool.connect().catch(rethrow), () => timeoutMs),
    end: () => pool.end(),
    figures: (): PoolFigures => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    /** Makes longer statements fail; without it, as during migrations, they may take any time. */
    limitQueries(limitMs: number): void {
      timeoutMs = limitMs;
    },
  };
}

/** Milliseconds between two checks of a connection that waits for messages. */
const CHECK_MS = 30_000;

export interface ChannelOptions {
  readonly clock: Clock;
  readonly onMessage: (message: string) => void;
  /** Called after each connection: messages before it were missed. */
  readonly onConnected: () => void;
}

/**
 * Listens to a channel of a database server. A lost connection is restored without a report, as all statements report an
 * unreachable server.
 *
 * @returns a function that ends it
 */
export function listenToServer(
  connectionString: string,
  channel: string,
  { clock, onMessage, onConnected }: ChannelOptions,
): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const listen = async () => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
    client.on('error', () => lose()).on('end', lose);
    signal.addEventListener('abort', () => lose(), { once: true });
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      onConnected();
      // A connection on which nothing arrives may be lost without a sign.
      const stopChecking = every(CHECK_MS, async () => void (await client.query('select')), {
        clock,
        onError: () => lose(),
      });
      await lost;
      void stopChecking();
    } finally {
      // Not awaited: a lost connection may take any time.
      client.end().catch(() => {});
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      await listen().catch(() => {});
      await delay(STORE_RETRY_MS, { clock, signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    closing.abort();
    await settledWithin(CONNECT_TIMEOUT_MS, running, clock);
  };
}

function reportingClient(client: pg.PoolClient, timeoutMs: () => number | undefined): PostgresPoolClient {
  let lost: unknown;
  const query = async (text: string, values: unknown[]) => {
    // For example, the end of a transaction would wait for its last statement, which timed out.
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
