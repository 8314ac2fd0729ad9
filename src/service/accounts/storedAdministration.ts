import { type Kysely, type Selectable, sql } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { AccountLimits } from '../limits.ts';
import type { AccountRow, Tables, TokenRow } from '../store/tables.ts';
import { LIMIT_COLUMNS, limitsOf } from './accountRows.ts';
import type { AccountRecord, Administration, TokenRecord } from './accounts.ts';
import { createToken, hashToken } from './tokens.ts';

/** PostgreSQL's code for a value that another row has. */
const UNIQUE_VIOLATION = '23505';

export interface AdministrationOptions {
  readonly database: () => Promise<Kysely<Tables>>;
  readonly now: () => Date;
  /** Called when cached data of an account has become stale. */
  readonly onChange: (accountId: string) => Promise<void>;
}

/** Creates the administration of the accounts of a store. */
export function createStoredAdministration(options: AdministrationOptions): Administration {
  const { database, now, onChange } = options;
  const updateAccount = async (id: string, columns: Readonly<Record<string, unknown>>) => {
    await (await database()).updateTable('accounts').set(columns).where('id', '=', id).execute();
    await onChange(id);
  };
  return {
    ...tokenAdministration(options),
    async create(email, creditSeconds) {
      const row = await (await database())
        .insertInto('accounts')
        .values({ id: createId(), email, balanceSeconds: creditSeconds, createdOn: now() })
        .onConflict(conflict => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && accountOf(row);
    },
    async list({ afterEmail = '', limit }) {
      const rows = await (await database())
        .selectFrom('accounts')
        .selectAll()
        .where('email', '>', afterEmail)
        .orderBy('email')
        .limit(limit)
        .execute();
      return rows.map(accountOf);
    },
    async find(idOrEmail) {
      const row = await (await database())
        .selectFrom('accounts')
        .selectAll()
        .where(idOrEmail.includes('@') ? 'email' : 'id', '=', idOrEmail)
        .executeTakeFirst();
      return row && accountOf(row);
    },
    async close(accountId) {
      await updateAccount(accountId, { removedOn: now() });
      await (await database()).deleteFrom('tokens').where('accountId', '=', accountId).execute();
    },
    addCredit: (accountId, seconds) =>
      updateAccount(accountId, { balanceSeconds: sql`balance_seconds + ${seconds}` }),
    async change(accountId, { limits = {}, ...settings }) {
      const columns = [
        ...Object.entries(settings),
        ...Object.entries(limits).map(([name, value]) => [LIMIT_COLUMNS[name as keyof AccountLimits], value]),
      ].filter(([, value]) => value !== undefined);
      try {
        if (columns.length > 0) await updateAccount(accountId, Object.fromEntries(columns));
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
        return false;
      }
    },
  };
}

function tokenAdministration({
  database,
  now,
  onChange,
}: AdministrationOptions): Pick<Administration, 'createToken' | 'listTokens' | 'revokeToken'> {
  return {
    async createToken(accountId, name) {
      const token = createToken();
      const row = await (await database())
        .insertInto('tokens')
        .values({ id: createId(), hash: hashToken(token), accountId, name: name ?? null, createdOn: now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { ...tokenOf(row), token };
    },
    async listTokens(accountId) {
      const rows = await (await database())
        .selectFrom('tokens')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('createdOn')
        .orderBy('id')
        .execute();
      return rows.map(tokenOf);
    },
    async revokeToken(accountId, tokenId) {
      const { numDeletedRows } = await (await database())
        .deleteFrom('tokens')
        .where('accountId', '=', accountId)
        .where('id', '=', tokenId)
        .executeTakeFirst();
      await onChange(accountId);
      return numDeletedRows > 0n;
    },
  };
}

function accountOf(row: Selectable<AccountRow>): AccountRecord {
  return {
    id: row.id,
    email: row.email,
    balanceSeconds: row.balanceSeconds,
    reservedSeconds: row.reservedSeconds,
    createdOn: row.createdOn,
    deleteAfterSeconds: row.deleteAfterSeconds ?? undefined,
    hasSigningSecret: row.signingSecret !== null,
    limits: limitsOf(row),
    isClosed: row.removedOn !== null,
  };
}

function tokenOf({ id, name, createdOn, lastUsedOn }: Selectable<TokenRow>): TokenRecord {
  return { id, createdOn, name: name ?? undefined, lastUsedOn: lastUsedOn ?? undefined };
}
