import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { OpenStore } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type Account, type Accounts, INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createLedger } from './ledger.ts';
import { createTokenMemory } from './tokenMemory.ts';
import { createToken, hashToken } from './tokens.ts';

/** The account of a first start has a fixed id, so that its token is good before the store is open. */
const OWNER_ID = 'owner';

export interface StoredAccountsOptions {
  /** The store, when it is open. */
  readonly opened: Promise<OpenStore>;
  /** Becomes the only token of the account of the first start. Default: the first start makes one. */
  readonly token?: string;
  readonly clock: Clock;
  /** A booking that failed. */
  readonly onError: (error: unknown) => void;
}

export interface StoredAccounts extends Accounts {
  /** The token that this start made: kept nowhere else. Undefined when there was no need, or no store. */
  readonly initialToken: Promise<string | undefined>;
  /** Resolves when the store is open and has the account of the first start; rejects when it cannot be opened. */
  readonly prepared: Promise<OpenStore>;
}

/** The accounts of a store. */
export function createStoredAccounts(options: StoredAccountsOptions): StoredAccounts {
  const { opened, clock, onError } = options;
  const ledger = createLedger();
  const memory = createTokenMemory(clock);
  const bookings = new Set<Promise<void>>();
  if (options.token !== undefined) {
    memory.add(hashToken(options.token), OWNER_ID, Number.POSITIVE_INFINITY);
  }

  async function prepare(): Promise<{ store: OpenStore; initialToken: string | undefined }> {
    const store = await opened;
    const { db } = store;
    const initialToken = await ensureOwner(db, options.token, new Date(clock.wallTime()));
    const owner = await findAccount(db, OWNER_ID);
    if (owner) ledger.setBalance(OWNER_ID, owner.balanceSeconds);
    // From now on the store says for how long the given token is good.
    memory.clear();
    return { store, initialToken };
  }
  const preparing = prepare();
  const prepared = preparing.then(({ store }) => store);
  // Who needs it is told; that nobody does yet must not end the process.
  prepared.catch(() => {});

  async function lookUp(hash: string): Promise<string | undefined> {
    const account = await (await prepared).db
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.accountId')
      .select(['accounts.id', 'accounts.balanceSeconds'])
      .where('tokens.hash', '=', hash)
      .executeTakeFirst();
    if (!account) return undefined;
    ledger.setBalance(account.id, account.balanceSeconds);
    memory.add(hash, account.id);
    return account.id;
  }

  async function book(accountId: string, seconds: number): Promise<void> {
    const { balanceSeconds } = await (await prepared).db
      .updateTable('accounts')
      .set({ balanceSeconds: sql`balance_seconds - ${seconds}` })
      .where('id', '=', accountId)
      .returning('balanceSeconds')
      .executeTakeFirstOrThrow();
    ledger.setBalance(accountId, balanceSeconds);
  }

  return {
    initialToken: preparing.then(({ initialToken }) => initialToken).catch(() => undefined),
    prepared,
    async authenticate(token) {
      const hash = hashToken(token);
      return memory.find(hash) ?? lookUp(hash);
    },
    find: async accountId => findAccount((await prepared).db, accountId),
    openMeter: accountId =>
      ledger.openMeter(accountId, seconds => {
        const booking = book(accountId, seconds)
          .catch(onError)
          .finally(() => bookings.delete(booking));
        bookings.add(booking);
        return booking;
      }),
    async close() {
      await prepared.catch(() => {});
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
