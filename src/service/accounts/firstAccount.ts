import type { Kysely } from 'kysely';
import { FIRST_TOKEN_ID, type Tables } from '../store/tables.ts';
import { INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createToken, hashToken } from './tokens.ts';

/** The account of a first start has a fixed id, so that its token is good before the store is open. */
export const OWNER_ID = 'owner';

/**
 * Makes the account of a first start when it is missing, with a token. One that is given takes the place of the token
 * that was made or given before; others of the account stay.
 *
 * @returns a token that was made
 */
export function ensureFirstAccount(
  db: Kysely<Tables>,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  return db.transaction().execute(async trx => {
    const made = await trx
      .insertInto('accounts')
      .values({ id: OWNER_ID, email: OWNER_EMAIL, balanceSeconds: INITIAL_BALANCE_SECONDS, createdOn: now })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made && given === undefined) return undefined;
    const token = given ?? createToken();
    const row = { id: FIRST_TOKEN_ID, hash: hashToken(token), accountId: OWNER_ID };
    // The same token under another id: it may have been made for the account as well.
    await trx.deleteFrom('tokens').where('hash', '=', row.hash).where('id', '<>', row.id).execute();
    await trx
      .insertInto('tokens')
      .values({ ...row, createdOn: now })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ hash: row.hash }))
      .execute();
    return given === undefined ? token : undefined;
  });
}
