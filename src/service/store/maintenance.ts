import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { PGlite } from './pglite.ts';

/** The embedded PostgreSQL has neither a checkpointer nor an autovacuum of its own. */
export const CHECKPOINT_INTERVAL_MS = 5 * 60_000;
export const VACUUM_INTERVAL_MS = 60 * 60_000;

/** Tables with what users wrote. */
const PRIVATE_TABLES = ['jobs', 'deliveries'];
/** Some ten thousand jobs; to write them anew takes a tenth of a second, in which nothing else happens. */
const REWRITE_LIMIT_BYTES = 4 * 2 ** 20;

export interface MaintenanceOptions {
  readonly clock: Clock;
  /** A round that failed; the next one comes all the same. */
  readonly onError: (error: unknown) => void;
}

/**
 * Looks after an embedded database, which also forgets what was deleted.
 *
 * PostgreSQL deletes a row by marking it: its bytes stay in the file of its table until others are written over them, and
 * in the write-ahead log. A checkpoint on a new segment of the log removes the old ones. The bytes in the tables go
 * when they are written anew, which is done for small ones only.
 *
 * @returns the stop
 */
export function maintain(pglite: PGlite, options: MaintenanceOptions): () => Promise<void> {
  const stops = [
    every(CHECKPOINT_INTERVAL_MS, () => checkpoint(pglite), options),
    every(VACUUM_INTERVAL_MS, () => vacuum(pglite), options),
  ];
  return async () => {
    await Promise.all(stops.map(stop => stop()));
  };
}

async function checkpoint(pglite: PGlite): Promise<void> {
  // Pages without dead rows: those that follow in the log are copied into it whole.
  await pglite.exec(`vacuum ${PRIVATE_TABLES.join(', ')}`);
  await pglite.exec('select pg_switch_wal()');
  await pglite.exec('checkpoint');
}

async function vacuum(pglite: PGlite): Promise<void> {
  await pglite.exec('vacuum (analyze)');
  for (const table of PRIVATE_TABLES) {
    const { rows } = await pglite.query<{ bytes: number }>('select pg_table_size($1::regclass) as bytes', [
      table,
    ]);
    if ((rows[0]?.bytes ?? 0) <= REWRITE_LIMIT_BYTES) await pglite.exec(`vacuum (full, analyze) ${table}`);
  }
}
