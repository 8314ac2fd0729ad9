import type { Kysely } from 'kysely';
import { InvalidArgumentError } from '../../base/errors.ts';
import { FIRST_TOKEN_ID, type Tables } from '../store/tables.ts';
import { INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createToken, hashToken } from './tokens.ts';

/** Fixed id of the account created at the first start, so that its token is valid before the store is open. */
export const OWNER_ID = 'owner';

export interface FirstAccountOptions {
  readonly token?: string;
  readonly email?: string;
}

/**
 * Creates the account of the first start, with a token, when it is missing. A given token or e-mail address replaces the
 * earlier first token or address; other tokens of the account stay.
 *
 * @returns the token that was created, if any
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
      // A conflict of the id or of the address: services that start together create the same row.
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made && email !== undefined) await changeEmail(trx, email);
    if (!made && given === undefined) return undefined;
    const token = given ?? createToken();
    const row = { id: FIRST_TOKEN_ID, hash: hashToken(token), accountId: OWNER_ID };
    // The given token may already belong to the account under another id.
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
      `Cannot change the e-mail address of the first account: account '${other.id}' has it already. Choose another one.`,
    );
  }
  await trx.updateTable('accounts').set({ email }).where('id', '=', OWNER_ID).execute();
}
