import { appendFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { STATE_TABLES, type StateTable } from './parts.ts';

/** Seconds to wait for the lock: transactions that change jobs take milliseconds. */
const LOCK_SECONDS = 20;

/** Milliseconds between two statements that keep the lock while this process is not stopped. */
const KEEP_LOCK_MS = 1000;

/** Rows per query. */
const BATCH = 200;

/**
 * Opens a snapshot of the rows of one moment. Until it is unlocked, no job begins, ends or is deleted: the end or the
 * deletion of a job deletes its input.
 */
export async function openSnapshot({ db, exclusive }: OpenStore, clock: Clock) {
  if (exclusive) {
    const only = await db.startTransaction().execute();
    return { db: only, unlock: async () => {}, close: () => only.rollback().execute() };
  }
  const lock = await db.startTransaction().execute();
  const select = async () => {
    await sql`select 1`.execute(lock);
  };
  // As with all transactions, the server ends the lock of a process that stands still, since the service waits for the lock.
  const stopKeeping = every(KEEP_LOCK_MS, select, { clock, onError() {} });
  const unlock = async () => {
    await stopKeeping();
    if (!lock.isRolledBack) await lock.rollback().execute();
  };
  try {
    await sql`set local lock_timeout = ${sql.lit(`${LOCK_SECONDS}s`)}`.execute(lock);
    await sql`lock table jobs in share mode`.execute(lock);
    const snapshot = await db.startTransaction().setIsolationLevel('repeatable read').execute();
    // This transaction blocks nothing, and copying the locked data may take longer.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot);
    const close = async () => {
      await snapshot.rollback().execute();
      await unlock();
    };
    return { db: snapshot, unlock, close };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Writes the rows of a table to a file, as JSON lines; returns their number. */
export async function writeRows(
  db: Kysely<Tables>,
  table: StateTable,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal },
): Promise<number> {
  await appendFile(file, '', { mode: 0o600 });
  const key = sql.ref(STATE_TABLES[table]);
  let last = '';
  let count = 0;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql<{ key: string; line: string }>`
      select ${key} as key, row_to_json(t)::text as line from ${sql.table(table)} t
      where ${key} > ${last} order by ${key} limit ${sql.lit(BATCH)}`.execute(db);
    if (rows.length === 0) return count;
    await appendFile(file, rows.map(({ line }) => `${line}\n`).join(''));
    count += rows.length;
    last = rows.at(-1)?.key ?? last;
  }
}
