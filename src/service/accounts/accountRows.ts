import { type Kysely, type Selectable, sql } from 'kysely';
import type { AccountLimits } from '../limits.ts';
import type { AccountRow, Tables } from '../store/tables.ts';
import type { Account, Caller } from './accounts.ts';
import type { Use } from './ledger.ts';

/** The account of a token, and the credit it may use. */
export interface Lookup {
  readonly caller: Caller;
  readonly lastUsedOn: Date | null;
  readonly creditSeconds: number;
}

/** Returns the accounts of tokens by the hashes of the tokens. */
export async function findCallers(
  db: Kysely<Tables>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Lookup>> {
  const rows = await db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.accountId')
    .selectAll('accounts')
    .select(['tokens.hash', 'tokens.lastUsedOn'])
    .where('tokens.hash', 'in', hashes)
    .where('accounts.removedOn', 'is', null)
    .execute();
  return new Map(
    rows.map(row => {
      const caller = { accountId: row.id, limits: limitsOf(row) };
      return [row.hash, { caller, lastUsedOn: row.lastUsedOn, creditSeconds: creditOf(row) }];
    }),
  );
}

export async function markTokenUsed(db: Kysely<Tables>, hash: string, now: Date): Promise<void> {
  await db.updateTable('tokens').set({ lastUsedOn: now }).where('hash', '=', hash).execute();
}

export function findAccount(db: Kysely<Tables>, id: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'balanceSeconds'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the credit of accounts, without the credit held for queued jobs. */
export async function findCredits(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly creditSeconds: number }[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'balanceSeconds', 'reservedSeconds'])
    .where('id', 'in', ids)
    .execute();
  return rows.map(row => ({ id: row.id, creditSeconds: creditOf(row) }));
}

/**
 * Subtracts the use of a meter from the balance of an account, less the part that is booked already: a repeated or late
 * statement subtracts nothing twice.
 *
 * @returns the credit that is not held, 0 for a deleted account
 */
export async function takeCredit(
  db: Kysely<Tables>,
  accountId: string,
  { meterId, totalSeconds }: Pick<Use, 'meterId' | 'totalSeconds'>,
): Promise<number> {
  // The account is locked before the meter, in the order in which a deletion locks them.
  const { rows } = await sql<{ credit: number }>`
    with account as (select id from accounts where id = ${accountId} for no key update), meter as (
      insert into meters (id, account_id, seconds, added_seconds, changed_on)
      select ${meterId}::text, id, ${totalSeconds}::double precision, ${totalSeconds}::double precision, now() from account
      on conflict (id) do update set
        seconds = greatest(meters.seconds, excluded.seconds),
        added_seconds = greatest(0, excluded.seconds - meters.seconds),
        changed_on = now()
      returning account_id, added_seconds
    )
    update accounts set balance_seconds = balance_seconds - meter.added_seconds
    from meter where accounts.id = meter.account_id
    returning balance_seconds - reserved_seconds as credit`.execute(db);
  return rows[0]?.credit ?? 0;
}

/** Days after its last booking for which a meter is remembered: a booking is repeated until an outage ends. */
const METER_DAYS = 7;

/** Drops meters of jobs that ended long ago. */
export async function forgetMeters(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('meters')
    .where(sql<boolean>`changed_on < now() - make_interval(days => ${sql.lit(METER_DAYS)})`)
    .execute();
}

function creditOf(row: Pick<Selectable<AccountRow>, 'balanceSeconds' | 'reservedSeconds'>): number {
  return row.balanceSeconds - row.reservedSeconds;
}

/** Columns of the limits. */
export const LIMIT_COLUMNS = {
  streams: 'maxStreams',
  jobsInProgress: 'maxJobsInProgress',
  requestsPerSecond: 'requestsPerSecond',
  requestBurst: 'requestBurst',
} as const satisfies Record<keyof AccountLimits, keyof AccountRow>;

/** Returns the limits that an account has of its own. */
export function limitsOf(row: Selectable<AccountRow>): Partial<AccountLimits> {
  return Object.fromEntries(
    Object.entries(LIMIT_COLUMNS)
      .map(([name, column]) => [name, row[column]] as const)
      .filter(([, value]) => value !== null),
  );
}
