import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { PGlite } from './pglite.ts';

/** The embedded PostgreSQL has neither a checkpointer nor an autovacuum of its own. */
export const CHECKPOINT_INTERVAL_MS = 5 * 60_000;
export const VACUUM_INTERVAL_MS = 60 * 60_000;

/** Tables with user data. */
const PRIVATE_TABLES = ['jobs', 'deliveries', 'desk_blocks', 'desk_proposals', 'stream_tokens'];
/** Size of some ten thousand jobs; rewriting them blocks the database for a tenth of a second. */
const REWRITE_LIMIT_BYTES = 4 * 2 ** 20;

export interface MaintenanceOptions {
  readonly clock: Clock;
  /** Called when a round failed; the next round still takes place. */
  readonly onError: (error: unknown) => void;
}

/**
 * Maintains an embedded database, and erases deleted data.
 *
 * PostgreSQL deletes a row by marking it: its bytes stay in the file of its table until they are overwritten, and in the
 * write-ahead log. A checkpoint on a new segment of the log removes the old ones. The bytes in tables are erased by
 * rewriting them, which is done for small tables only.
 *
 * @returns a function that ends it
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
  // Removes dead rows first: the log that follows contains whole copies of pages.
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
