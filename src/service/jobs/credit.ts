import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { OutOfCreditError } from './jobs.ts';

/**
 * Holds credit of an account for a job. Does not read the account for a job without cost.
 *
 * @throws OutOfCreditError
 */
export async function holdCredit(db: Kysely<Tables>, accountId: string, seconds: number): Promise<void> {
  if (seconds === 0) return;
  const held = await db
    .updateTable('accounts')
    .set({ reservedSeconds: sql`reserved_seconds + ${seconds}` })
    .where('id', '=', accountId)
    .where('removedOn', 'is', null)
    .where(sql<boolean>`balance_seconds - reserved_seconds >= ${seconds}`)
    .returning('id')
    .executeTakeFirst();
  if (held) return;
  const account = await db
    .selectFrom('accounts')
    .select(sql<number>`balance_seconds - reserved_seconds`.as('free'))
    .where('id', '=', accountId)
    .where('removedOn', 'is', null)
    .executeTakeFirst();
  throw new OutOfCreditError(Math.max(0, account?.free ?? 0));
}

/** Releases held credit and subtracts the used credit. */
export async function settleCredit(
  db: Kysely<Tables>,
  accountId: string,
  { held, used }: { readonly held: number; readonly used: number },
): Promise<void> {
  if (held === 0 && used === 0) return;
  await db
    .updateTable('accounts')
    .set({
      reservedSeconds: sql`reserved_seconds - ${held}`,
      balanceSeconds: sql`balance_seconds - ${used}`,
    })
    .where('id', '=', accountId)
    .execute();
}
