import { type Kysely, sql } from 'kysely';
import { joinLookups } from '../accounts/tokenMemory.ts';
import { hashToken } from '../accounts/tokens.ts';
import type { Tables } from '../store/tables.ts';
import { type Grants, MAX_STREAM_TOKENS } from './streamTokens.ts';

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
      const query = (await database()).selectFrom('streamTokens').selectAll().where('hash', 'in', hashes);
      return new Map((await query.execute()).map(row => [row.hash, row]));
    }),
    async add({ hash, minter, expiresOn, maxSessions, metadata }, now) {
      const { rows } = await sql<{ readonly id: string }>`
        insert into stream_tokens (hash, account_id, minter, expires_on, max_sessions, metadata)
        select ${hash}, account_id, hash, ${expiresOn}::timestamptz, ${maxSessions}::integer, ${metadata}::text from tokens
        where hash = ${minter} and ${sql.lit(MAX_STREAM_TOKENS)} > (
          select count(*) from stream_tokens where account_id = tokens.account_id and expires_on > ${now}::timestamptz)
        returning (select id from tokens where hash = minter)`.execute(await database());
      return rows[0];
    },
  };
}
