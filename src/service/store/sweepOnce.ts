import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Share of an interval after which a run is due: timers of processes drift. */
const DUE_SHARE = 0.9;

export interface SweepOptions {
  /** Milliseconds between two runs. When a process is killed, another one does the next run. */
  readonly everyMs: number;
  readonly now: Date;
}

/**
 * Runs maintenance that one process does for all, unless a process has run it within the interval, or is running it. Failed
 * work is due again.
 *
 * @throws errors of the work
 */
export async function sweepOnce(
  db: Kysely<Tables>,
  name: string,
  options: SweepOptions,
  work: () => Promise<void>,
): Promise<void> {
  if (!(await claim(db, name, options))) return;
  try {
    await work();
  } catch (error) {
    await db.deleteFrom('sweeps').where('name', '=', name).execute();
    throw error;
  }
}

async function claim(db: Kysely<Tables>, name: string, { everyMs, now }: SweepOptions): Promise<boolean> {
  const due = new Date(now.getTime() - everyMs * DUE_SHARE);
  // A time in the future comes from a machine whose clock is ahead.
  const { rows } = await sql`
    insert into sweeps (name, started_on) values (${name}, ${now})
    on conflict (name) do update set started_on = ${now} where sweeps.started_on <= ${due} or sweeps.started_on > ${now}
    returning name`.execute(db);
  return rows.length > 0;
}
