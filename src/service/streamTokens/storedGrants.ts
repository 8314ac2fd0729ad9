import { sql } from 'kysely';
import type { createStoredAccounts } from '../accounts/storedAccounts.ts';
import { joinLookups } from '../accounts/tokenMemory.ts';
import { hashToken } from '../accounts/tokens.ts';
import { type Grants, MAX_STREAM_TOKENS } from './streamTokens.ts';

type StoredAccounts = Pick<ReturnType<typeof createStoredAccounts>, 'prepared' | 'callerOf'>;

/** Keeps stream tokens in the database, for all processes of a service. A row is deleted with that of its minting token. */
export function storedGrants({ prepared, callerOf }: StoredAccounts): Grants {
  return {
    callerOf,
    find: joinLookups(async hashes => {
      const query = (await prepared).db.selectFrom('streamTokens').selectAll().where('hash', 'in', hashes);
      return new Map((await query.execute()).map(row => [row.hash, row]));
    }),
    async add({ hash, expiresOn, maxSessions, metadata }, bearer, now) {
      const { rows } = await sql<{ readonly id: string }>`
        insert into stream_tokens (hash, account_id, minter, expires_on, max_sessions, metadata)
        select ${hash}, account_id, hash, ${expiresOn}::timestamptz, ${maxSessions}::integer, ${metadata}::text from tokens
        where hash = ${hashToken(bearer)} and ${sql.lit(MAX_STREAM_TOKENS)} > (
          select count(*) from stream_tokens where account_id = tokens.account_id and expires_on > ${now}::timestamptz)
        returning (select id from tokens where hash = minter)`.execute((await prepared).db);
      return rows[0];
    },
  };
}
