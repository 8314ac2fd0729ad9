import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Flow, Rates } from '../rateLimits/bucket.ts';
import type { SharedLimits } from '../rateLimits/rateLimits.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import { databaseFigures } from '../telemetry/databaseFigures.ts';
import { countMembers, joinMembers, type MemberOptions, ROLES } from './member.ts';
import { createSharedStreamSlots, type SharedStreamSlotsOptions } from './sharedStreamSlots.ts';

export interface MachinesOptions extends Pick<MemberOptions, 'role'> {
  readonly opened: Promise<OpenStore>;
  readonly clock: Clock;
  /** Called when background work failed, which is retried. */
  readonly onError: (error: unknown) => void;
  readonly instruments: Instruments;
}

/** Joins the processes that share a database server, once the store is open. */
export function joinMachines({ opened, ...options }: MachinesOptions) {
  const db = opened.then(store => store.db);
  const closing = new AbortController();
  const { signal } = closing;
  let joined: ReturnType<SharedStreamSlotsOptions['joined']>;
  const streamSlots = createSharedStreamSlots({ ...options, joined: () => joined });
  const member = db.then(async open => {
    const { id, close } = await joinMembers({ ...options, db: open, signal, streams: streamSlots.running });
    joined = { db: open, memberId: id };
    return close;
  });
  const readMembers = databaseFigures(options.clock, async () => countMembers(await db));
  const stopFigures = options.instruments.observe(['members'], async observe => {
    const counts = new Map((await readMembers()).map(({ role, count }) => [role, count]));
    for (const role of ROLES) observe('members', counts.get(role) ?? 0, { role });
  });
  // Unhandled rejections would end the process.
  for (const promise of [db, member]) promise.catch(() => {});
  return {
    limits: { rates: createSharedRates(db), streamSlots } satisfies SharedLimits,
    async close(): Promise<void> {
      closing.abort();
      stopFigures();
      const close = await member.catch(() => undefined);
      joined = undefined;
      await close?.().catch(options.onError);
    },
  };
}

/** Creates token buckets of accounts that processes of several machines share, by the clock of the database. */
function createSharedRates(database: Promise<Kysely<Tables>>): Rates {
  return {
    async take(accountId, flow) {
      const db = await database;
      const full = levelNow(flow);
      const { rows } = await sql`
        insert into request_rates (account_id, level, changed_on) values (${accountId}, ${flow.burst - 1}, now())
        on conflict (account_id) do update set level = ${full} - 1, changed_on = now() where ${full} >= 1
        returning level`.execute(db);
      if (rows.length > 0) return 0;
      const { level } = await db
        .selectFrom('requestRates')
        .select(full.as('level'))
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      return (Math.max(0, 1 - level) / flow.perSecond) * 1000;
    },
  };
}

/** Level of a bucket, which fills over time up to the burst. */
function levelNow({ perSecond, burst }: Flow) {
  return sql<number>`least(${burst}, request_rates.level + extract(epoch from now() - request_rates.changed_on) * ${perSecond})`;
}
