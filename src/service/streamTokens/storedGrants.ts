import type { Kysely } from 'kysely';
import { joinLookups } from '../accounts/tokenMemory.ts';
import { hashToken } from '../accounts/tokens.ts';
import type { Tables } from '../store/tables.ts';
import type { Grants } from './streamTokens.ts';

/**
 * Keeps stream tokens in the database, for all processes of a service. A row goes with that of the minting token.
 *
 * @param callerOf returns the account of the token with this hash
 */
export function storedGrants(database: () => Promise<Kysely<Tables>>, callerOf: Grants['callerOf']): Grants {
  return {
    minterOf: hashToken,
    callerOf,
    find: joinLookups(async hashes => {
      const db = await database();
      const rows = await db.selectFrom('streamTokens').selectAll().where('hash', 'in', hashes).execute();
      return new Map(rows.map(row => [row.hash, row]));
    }),
    async count({ accountId, minter }, now) {
      const row = await (await database())
        .selectFrom('tokens')
        .select(query => [
          'id as minterId',
          query
            .selectFrom('streamTokens')
            .select(({ fn }) => fn.countAll<string>().as('living'))
            .where('accountId', '=', accountId)
            .where('expiresOn', '>', now)
            .as('living'),
        ])
        .where('hash', '=', minter)
        .executeTakeFirst();
      return row && { minterId: row.minterId, living: Number(row.living) };
    },
    add: async grant => void (await (await database()).insertInto('streamTokens').values(grant).execute()),
  };
}
