import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { OutOfCreditError } from './jobs.ts';

/**
 * Holds credit of an account for a job; an account without any can hold nothing.
 *
 * @throws OutOfCreditError
 */
export async function holdCredit(db: Kysely<Tables>, accountId: string, seconds: number): Promise<void> {
  const held = await db
    .updateTable('accounts')
    .set({ reservedSeconds: sql`reserved_seconds + ${seconds}` })
    .where('id', '=', accountId)
    .where(sql<boolean>`balance_seconds - reserved_seconds >= ${seconds}`)
    .where(sql<boolean>`balance_seconds - reserved_seconds > 0`)
    .returning('id')
    .executeTakeFirst();
  if (held) return;
  const account = await db
    .selectFrom('accounts')
    .select(sql<number>`balance_seconds - reserved_seconds`.as('free'))
    .where('id', '=', accountId)
    .executeTakeFirst();
  throw new OutOfCreditError(Math.max(0, account?.free ?? 0));
}

/** Gives held credit back, and takes what was used. Returns the balance. */
export async function settleCredit(
  db: Kysely<Tables>,
  accountId: string,
  { held, used }: { readonly held: number; readonly used: number },
): Promise<number | undefined> {
  const account = await db
    .updateTable('accounts')
    .set({
      reservedSeconds: sql`greatest(0, reserved_seconds - ${held})`,
      balanceSeconds: sql`balance_seconds - ${used}`,
    })
    .where('id', '=', accountId)
    .returning('balanceSeconds')
    .executeTakeFirst();
  return account?.balanceSeconds;
}
