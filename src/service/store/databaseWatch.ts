import { sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from './store.ts';

const CHECK_INTERVAL_MS = 1000;
/** Milliseconds without an answer after which a database counts as unreachable; longer than a restart takes. */
const DATABASE_UNREACHABLE_MS = 5000;

/** A monitor of the connection to a database server. */
export interface DatabaseWatch {
  readonly isUnreachable: boolean;
  close(): Promise<void>;
}

/** Queries a database server at intervals. An embedded database counts as always reachable. */
export function watchDatabase(opened: Promise<OpenStore>, clock: Clock): DatabaseWatch {
  let answeredMs = Number.POSITIVE_INFINITY;
  const check = async ({ db }: OpenStore) => {
    await sql`select 1`.execute(db);
    answeredMs = clock.now();
  };
  const stopping = opened.then(
    store => {
      if (store.exclusive) return async () => {};
      answeredMs = clock.now();
      return every(CHECK_INTERVAL_MS, () => check(store), { clock, onError: () => {} });
    },
    () => async () => {},
  );
  return {
    get isUnreachable() {
      return clock.now() - answeredMs > DATABASE_UNREACHABLE_MS;
    },
    close: async () => (await stopping)(),
  };
}
