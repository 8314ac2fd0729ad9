import { type Kysely, type Selectable, sql } from 'kysely';
import { createId } from '../../base/ids.ts';
import type { AccountLimits } from '../limits.ts';
import type { AccountRow, Tables, TokenRow } from '../store/tables.ts';
import { LIMIT_COLUMNS } from './accountRows.ts';
import { createToken, hashToken } from './tokens.ts';

/** PostgreSQL's code for a value that another row has. */
const UNIQUE_VIOLATION = '23505';

export interface AdministrationOptions {
  readonly database: () => Promise<Kysely<Tables>>;
  readonly now: () => Date;
  /** Called when cached data of an account has become stale. */
  readonly onChange: (accountId: string) => Promise<void>;
}

/** New settings of an account: absent ones stay, null restores the default. */
export interface SettingsChange {
  readonly email?: string;
  readonly deleteAfterSeconds?: number | null;
  readonly signingSecret?: string | null;
  readonly limits?: { readonly [Name in keyof AccountLimits]?: number | null };
}

/** An account as stored. */
export type AccountRecord = Selectable<AccountRow>;
/** A token as stored, without its hash. */
export type TokenRecord = Pick<Selectable<TokenRow>, (typeof TOKEN_COLUMNS)[number]>;

const TOKEN_COLUMNS = ['id', 'name', 'createdOn', 'lastUsedOn'] as const;

/** The administration of accounts. Changes take effect at once in this process, and within seconds in others. */
export type Administration = ReturnType<typeof createStoredAdministration>;

/** Creates the administration of the accounts of a store. */
export function createStoredAdministration(options: AdministrationOptions) {
  const { database, now, onChange } = options;
  const updateAccount = async (id: string, columns: Readonly<Record<string, unknown>>) => {
    await (await database()).updateTable('accounts').set(columns).where('id', '=', id).execute();
    await onChange(id);
  };
  return Object.assign(tokenAdministration(options), {
    /** Returns undefined when an account with this e-mail address exists. */
    async create(email: string, creditSeconds: number): Promise<AccountRecord | undefined> {
      return (await database())
        .insertInto('accounts')
        .values({ id: createId(), email, balanceSeconds: creditSeconds, createdOn: now() })
        .onConflict(conflict => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst();
    },
    /** Returns a page of accounts, in the order of their e-mail addresses, after the given one. */
    async list(limit: number, afterEmail = ''): Promise<readonly AccountRecord[]> {
      return (await database())
        .selectFrom('accounts')
        .selectAll()
        .where('email', '>', afterEmail)
        .orderBy('email')
        .limit(limit)
        .execute();
    },
    async find(idOrEmail: string): Promise<AccountRecord | undefined> {
      return (await database())
        .selectFrom('accounts')
        .selectAll()
        .where(idOrEmail.includes('@') ? 'email' : 'id', '=', idOrEmail)
        .executeTakeFirst();
    },
    /** Closes an account for good: revokes its tokens, and leaves its data to `Jobs.removeAll`. */
    async close(accountId: string): Promise<void> {
      await updateAccount(accountId, { removedOn: now() });
      await (await database()).deleteFrom('tokens').where('accountId', '=', accountId).execute();
    },
    /** @param seconds negative to take credit away */
    addCredit: (accountId: string, seconds: number) =>
      updateAccount(accountId, { balanceSeconds: sql`balance_seconds + ${seconds}` }),
    /** Returns false when another account has the e-mail address. */
    async change(accountId: string, { limits = {}, ...settings }: SettingsChange): Promise<boolean> {
      const columns = [
        ...Object.entries(settings),
        ...Object.entries(limits).map(([name, value]) => [LIMIT_COLUMNS[name as keyof AccountLimits], value]),
      ].filter(([, value]) => value !== undefined);
      try {
        if (columns.length === 0) return true;
        await updateAccount(accountId, Object.fromEntries(columns));
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
        return false;
      }
    },
  });
}

function tokenAdministration({ database, now, onChange }: AdministrationOptions) {
  return {
    /** Adds a token to those of the account. The token itself is returned only here. */
    async createToken(accountId: string, name?: string): Promise<TokenRecord & { readonly token: string }> {
      const token = createToken();
      const row = await (await database())
        .insertInto('tokens')
        .values({ id: createId(), hash: hashToken(token), accountId, name: name ?? null, createdOn: now() })
        .returning(TOKEN_COLUMNS)
        .executeTakeFirstOrThrow();
      return { ...row, token };
    },
    /** Returns the tokens of an account, oldest first. */
    async listTokens(accountId: string): Promise<readonly TokenRecord[]> {
      return (await database())
        .selectFrom('tokens')
        .select(TOKEN_COLUMNS)
        .where('accountId', '=', accountId)
        .orderBy('createdOn')
        .orderBy('id')
        .execute();
    },
    /** Returns false when the account has no such token. */
    async revokeToken(accountId: string, tokenId: string): Promise<boolean> {
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
