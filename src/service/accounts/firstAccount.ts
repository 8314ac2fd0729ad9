import type { Kysely } from 'kysely';
import { InvalidArgumentError } from '../../base/errors.ts';
import { FIRST_TOKEN_ID, type Tables } from '../store/tables.ts';
import { INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createToken, hashToken } from './tokens.ts';

/** The account of a first start has a fixed id, so that its token is good before the store is open. */
export const OWNER_ID = 'owner';

export interface FirstAccountOptions {
  readonly token?: string;
  readonly email?: string;
}

/**
 * Makes the account of a first start when it is missing, with a token. One that is given takes the place of the token
 * that was made or given before; others of the account stay. So with its e-mail address.
 *
 * @returns a token that was made
 * @throws InvalidArgumentError when another account has the e-mail address
 */
export function ensureFirstAccount(
  db: Kysely<Tables>,
  { token: given, email }: FirstAccountOptions,
  now: Date,
): Promise<string | undefined> {
  return db.transaction().execute(async trx => {
    const made = await trx
      .insertInto('accounts')
      .values({
        id: OWNER_ID,
        email: email ?? OWNER_EMAIL,
        balanceSeconds: INITIAL_BALANCE_SECONDS,
        createdOn: now,
      })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made && email !== undefined) await changeEmail(trx, email);
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

async function changeEmail(trx: Kysely<Tables>, email: string): Promise<void> {
  const other = await trx
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', OWNER_ID)
    .executeTakeFirst();
  if (other) {
    throw new InvalidArgumentError(
      `first account: wanted an e-mail address that no other account has, found that of the account ${other.id}`,
    );
  }
  await trx.updateTable('accounts').set({ email }).where('id', '=', OWNER_ID).execute();
}
