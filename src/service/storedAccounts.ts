import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { type Account, type Accounts, INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createLedger } from './ledger.ts';
import type { Store } from './store/store.ts';
import type { Tables } from './store/tables.ts';
import { createToken, hashToken } from './tokens.ts';

/** How long a token that was found is believed without asking the store again. */
export const TOKEN_MEMORY_MS = 60_000;
const MAX_TOKENS_IN_MEMORY = 10_000;
/** The account of a first start has a fixed id, so that its token is good before the store is open. */
const OWNER_ID = 'owner';

export interface StoredAccountsOptions {
  readonly store: Store;
  /** Becomes the only token of the account of the first start. Default: the first start makes one. */
  readonly token?: string;
  readonly clock: Clock;
  /** A booking that failed. */
  readonly onError: (error: unknown) => void;
}

export interface StoredAccounts extends Accounts {
  /** The token that this start made: kept nowhere else. Undefined when there was no need, or no store. */
  readonly initialToken: Promise<string | undefined>;
}

/** The accounts of a store. */
export function createStoredAccounts(options: StoredAccountsOptions): StoredAccounts {
  const { store, clock, onError } = options;
  const ledger = createLedger();
  const remembered = new Map<string, { accountId: string; untilMs: number }>();
  const bookings = new Set<Promise<void>>();
  if (options.token !== undefined) {
    const untilMs = Number.POSITIVE_INFINITY;
    remembered.set(hashToken(options.token), { accountId: OWNER_ID, untilMs });
  }

  async function prepare(): Promise<{ db: Kysely<Tables>; initialToken: string | undefined }> {
    const { db } = await store.opened;
    const initialToken = await ensureOwner(db, options.token, new Date(clock.wallTime()));
    const owner = await findAccount(db, OWNER_ID);
    if (owner) ledger.setBalance(OWNER_ID, owner.balanceSeconds);
    // From now on the store says for how long the given token is good.
    remembered.clear();
    return { db, initialToken };
  }
  const prepared = prepare();
  const database = prepared.then(({ db }) => db);
  database.catch(() => {});

  async function lookUp(hash: string): Promise<string | undefined> {
    const account = await (await database)
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.accountId')
      .select(['accounts.id', 'accounts.balanceSeconds'])
      .where('tokens.hash', '=', hash)
      .executeTakeFirst();
    if (!account) return undefined;
    ledger.setBalance(account.id, account.balanceSeconds);
    if (remembered.size >= MAX_TOKENS_IN_MEMORY) remembered.clear();
    remembered.set(hash, { accountId: account.id, untilMs: clock.now() + TOKEN_MEMORY_MS });
    return account.id;
  }

  async function book(accountId: string, seconds: number): Promise<void> {
    const { balanceSeconds } = await (await database)
      .updateTable('accounts')
      .set({ balanceSeconds: sql`balance_seconds - ${seconds}` })
      .where('id', '=', accountId)
      .returning('balanceSeconds')
      .executeTakeFirstOrThrow();
    ledger.setBalance(accountId, balanceSeconds);
  }

  return {
    initialToken: prepared.then(({ initialToken }) => initialToken).catch(() => undefined),
    async authenticate(token) {
      const hash = hashToken(token);
      const known = remembered.get(hash);
      return known && clock.now() < known.untilMs ? known.accountId : lookUp(hash);
    },
    find: async accountId => findAccount(await database, accountId),
    openMeter: accountId =>
      ledger.openMeter(accountId, seconds => {
        const booking = book(accountId, seconds)
          .catch(onError)
          .finally(() => bookings.delete(booking));
        bookings.add(booking);
        return booking;
      }),
    async close() {
      await Promise.all(bookings);
    },
  };
}

function findAccount(db: Kysely<Tables>, id: string): Promise<Account | undefined> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'balanceSeconds'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Makes the owner's account when it is missing, and its token when none is given; returns a token that it made. */
function ensureOwner(db: Kysely<Tables>, given: string | undefined, now: Date): Promise<string | undefined> {
  return db.transaction().execute(async trx => {
    const made = await trx
      .insertInto('accounts')
      .values({ id: OWNER_ID, email: OWNER_EMAIL, balanceSeconds: INITIAL_BALANCE_SECONDS, createdOn: now })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made && given === undefined) return undefined;
    const token = given ?? createToken();
    await trx.deleteFrom('tokens').where('accountId', '=', OWNER_ID).execute();
    await trx
      .insertInto('tokens')
      .values({ hash: hashToken(token), accountId: OWNER_ID, createdOn: now })
      .onConflict(conflict => conflict.column('hash').doUpdateSet({ accountId: OWNER_ID }))
      .execute();
    return given === undefined ? token : undefined;
  });
}
