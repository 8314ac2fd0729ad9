import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import { every } from '../../base/wait/every.ts';
import type { Tables } from '../store/tables.ts';
import { retryUntilStored } from '../store/untilReachable.ts';

/** Seconds between two heartbeats of a member. */
export const HEARTBEAT_SECONDS = 5;
/** Seconds without a heartbeat after which a member counts as gone. */
const GONE_SECONDS = 15;
/** Seconds after which a member that is gone is forgotten. */
const FORGOTTEN_SECONDS = 60;

/** True for members that are alive, by the clock of the database: those of machines differ. */
export const isAlive = sql<boolean>`members.seen_on > now() - make_interval(secs => ${sql.lit(GONE_SECONDS)})`;

export const ROLES = ['all', 'api', 'worker'] as const;

/** The part of a process in a service of several. */
export type Role = (typeof ROLES)[number];

export interface MemberOptions {
  readonly db: Kysely<Tables>;
  readonly role: Role;
  /** Returns the ids of the streams that the process runs. */
  readonly streams: () => readonly { readonly id: string; readonly accountId: string }[];
  readonly clock: Clock;
  /** Ends the attempts to join. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Joins the processes that share a database, and writes every few seconds that this one is alive.
 *
 * @throws the signal's reason
 */
export async function joinMembers(options: MemberOptions) {
  const { db, clock, onError } = options;
  const id = createId();
  const beat = async () => {
    await recordMember(id, options);
    await reconcileStreams(id, options);
    await forgetOld(db);
  };
  await retryUntilStored(beat, options);
  const stop = every(HEARTBEAT_SECONDS * 1000, beat, { clock, onError });
  /** Leaves the other processes. */
  const close = async () => {
    await stop();
    await db.deleteFrom('members').where('id', '=', id).execute();
  };
  return { id, close, [Symbol.asyncDispose]: close };
}

async function recordMember(id: string, { db, role }: MemberOptions): Promise<void> {
  const seen = { seenOn: sql<Date>`now()` };
  await db
    .insertInto('members')
    .values({ id, role, host: hostname(), ...seen })
    .onConflict(conflict => conflict.column('id').doUpdateSet(seen))
    .execute();
}

/**
 * Corrects the rows of the streams of a process: some remain if the database was unreachable at their end, and all are missing
 * if the process stood still for so long that it was forgotten.
 */
async function reconcileStreams(memberId: string, { db, streams }: MemberOptions): Promise<void> {
  const running = streams();
  const ids = running.map(({ id }) => id);
  await db
    .deleteFrom('streams')
    .where('memberId', '=', memberId)
    .where(sql<boolean>`id <> all(${ids}::text[])`)
    .execute();
  if (running.length === 0) return;
  const accountIds = running.map(({ accountId }) => accountId);
  // Streams of a deleted account are left out, as the database would refuse all rows; they end within seconds.
  await sql`
    insert into streams (id, account_id, member_id)
    select running.id, accounts.id, ${memberId}
    from unnest(${ids}::text[], ${accountIds}::text[]) as running (id, account_id)
    join accounts on accounts.id = running.account_id
    on conflict (id) do nothing`.execute(db);
}

/** Removes members that have gone. Their streams are removed at once; a process that only stood still adds them again. */
async function forgetOld(db: Kysely<Tables>): Promise<void> {
  const gone = db
    .selectFrom('members')
    .select('id')
    .where(({ not }) => not(isAlive));
  await db.deleteFrom('streams').where('memberId', 'in', gone).execute();
  await db
    .deleteFrom('members')
    .where(sql<boolean>`seen_on < now() - make_interval(secs => ${sql.lit(FORGOTTEN_SECONDS)})`)
    .execute();
}

/** Counts the members that are alive by their role. */
export function countMembers(db: Kysely<Tables>): Promise<readonly { role: string; count: number }[]> {
  return db
    .selectFrom('members')
    .select(['role', ({ fn }) => fn.countAll<number>().as('count')])
    .where(isAlive)
    .groupBy('role')
    .orderBy('role')
    .execute();
}
