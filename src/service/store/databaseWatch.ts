import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from './store.ts';

const CHECK_INTERVAL_MS = 1000;
/** A database that gave no answer for so long is away; a shorter pause, as of a restart, is nobody's concern. */
export const DATABASE_AWAY_MS = 5000;

/** Knows whether a database server is away. */
export interface DatabaseWatch {
  readonly isAway: boolean;
  close(): Promise<void>;
}

/** Asks a database again and again, one question at a time; one that belongs to this process alone is always there. */
export function watchDatabase(opened: Promise<OpenStore>, clock: Clock): DatabaseWatch {
  let answeredMs = Number.POSITIVE_INFINITY;
  const look = async ({ db }: OpenStore) => {
    await sql`select 1`.execute(db);
    answeredMs = clock.now();
  };
  const stopping = opened.then(
    store => {
      if (store.exclusive) return async () => {};
      answeredMs = clock.now();
      return every(CHECK_INTERVAL_MS, () => look(store), { clock, onError: () => {} });
    },
    () => async () => {},
  );
  return {
    get isAway() {
      return clock.now() - answeredMs > DATABASE_AWAY_MS;
    },
    close: async () => (await stopping)(),
  };
}
