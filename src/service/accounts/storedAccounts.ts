import type { Clock } from '../../base/clock.ts';
import { every } from '../../base/wait/every.ts';
import type { OpenStore } from '../store/store.ts';
import {
  findAccount,
  findCallers,
  findCredits,
  type Lookup,
  markTokenUsed,
  takeCredit,
} from './accountRows.ts';
import type { Accounts, Caller } from './accounts.ts';
import { ensureFirstAccount, OWNER_ID } from './firstAccount.ts';
import { createLedger, type Ledger, type Use } from './ledger.ts';
import { createStoredAdministration } from './storedAdministration.ts';
import { createTokenMemory, joinLookups } from './tokenMemory.ts';
import { hashToken } from './tokens.ts';

/**
 * Milliseconds between two bookings of the use of running sessions, after which the credit of their accounts is read:
 * sessions in other processes use it too.
 */
export const CREDIT_REFRESH_MS = 5000;

/** Minimum milliseconds between two records of the use of a token. */
const USE_INTERVAL_MS = 60_000;

export interface StoredAccountsOptions {
  /** Resolves with the open store. */
  readonly opened: Promise<OpenStore>;
  /** First token of the account of the first start. Default: the first start creates one. */
  readonly token?: string;
  /** E-mail address of that account. Default: the first start uses {@link OWNER_EMAIL}. */
  readonly email?: string;
  readonly clock: Clock;
  /** Called when background work failed, such as a booking. */
  readonly onError: (error: unknown) => void;
}

/** Creates the accounts of a store. */
export function createStoredAccounts(options: StoredAccountsOptions) {
  const { opened, clock, onError } = options;
  const ledger = createLedger();
  const memory = createTokenMemory({ clock, ask: askStore });
  const background = createBackground(onError);
  const now = () => new Date(clock.wallTime());
  if (options.token !== undefined) {
    memory.add(hashToken(options.token), { accountId: OWNER_ID, limits: {} });
  }

  async function prepare(): Promise<{ store: OpenStore; initialToken: string | undefined }> {
    const store = await opened;
    const initialToken = await ensureFirstAccount(store.db, options, now());
    const owners = await findCredits(store.db, [OWNER_ID]);
    for (const { id, creditSeconds } of owners) ledger.setCredit(id, creditSeconds);
    // From now on the store decides how long the given token is valid.
    memory.clear();
    return { store, initialToken };
  }
  const preparing = prepare();
  const prepared = preparing.then(({ store }) => store);
  // An unhandled rejection would end the process.
  prepared.catch(() => {});
  const database = async () => (await prepared).db;

  const lookUp = joinLookups(async hashes => findCallers(await database(), hashes));

  async function askStore(hash: string): Promise<Caller | undefined> {
    const found = await lookUp(hash);
    if (!found) return undefined;
    ledger.setCredit(found.caller.accountId, found.creditSeconds);
    const usedOn = now();
    if (isToBeNoted(found, usedOn)) {
      void background.add(database().then(db => markTokenUsed(db, hash, usedOn)));
    }
    return found.caller;
  }

  const credits = startCredits(ledger, { database, background, ...options });

  const accounts: Accounts = {
    authenticate: async token => memory.find(hashToken(token)),
    find: async accountId => findAccount(await database(), accountId),
    openMeter: accountId => ledger.openMeter(accountId, use => credits.book(accountId, use)),
    refreshCredit: accountId => credits.refresh([accountId]),
    async close() {
      await credits.stop();
      await prepared.then(ledger.bookUse, () => {});
      await background.over();
    },
  };
  const onChange = async (accountId: string) => {
    memory.forget(accountId);
    await credits.refresh([accountId]);
  };
  return {
    ...accounts,
    /** Returns the account of the token with this hash; undefined for an unknown one. */
    callerOf: memory.find,
    /** The token created by this start, available only here. Undefined when none was needed, or the store did not open. */
    initialToken: preparing.then(({ initialToken }) => initialToken).catch(() => undefined),
    /** Resolves when the store is open and has the account of the first start; rejects when it cannot be opened. */
    prepared,
    administration: createStoredAdministration({ database, now, onChange }),
  };
}

interface CreditOptions extends Pick<StoredAccountsOptions, 'clock' | 'onError'> {
  readonly database: () => Promise<OpenStore['db']>;
  readonly background: ReturnType<typeof createBackground>;
}

/** Keeps the credit of a ledger and that of the store in step. */
function startCredits(ledger: Ledger, { database, background, ...options }: CreditOptions) {
  /** Reads the credit of accounts. A value read before a booking may arrive after it; the next read corrects it. */
  async function refresh(ids: readonly string[]): Promise<void> {
    const credits = await findCredits(await database(), ids);
    for (const { id, creditSeconds } of credits) ledger.setCredit(id, creditSeconds);
  }
  async function exchange(): Promise<void> {
    await ledger.bookUse();
    await refresh(ledger.inUse());
  }
  return {
    refresh,
    async book(accountId: string, use: Use): Promise<void> {
      if (use.seconds === 0) return;
      const booked = database().then(db => takeCredit(db, accountId, use));
      background.add(booked);
      ledger.setCredit(accountId, await booked);
    },
    stop: every(CREDIT_REFRESH_MS, exchange, options),
  };
}

/** Returns whether the use of a token should be recorded: at most once a minute. */
function isToBeNoted({ lastUsedOn }: Lookup, now: Date): boolean {
  return now.getTime() - (lastUsedOn?.getTime() ?? 0) >= USE_INTERVAL_MS;
}

/** Creates a set of work in the background, awaited only when the service closes. */
function createBackground(onError: (error: unknown) => void) {
  const underWay = new Set<Promise<void>>();
  return {
    add(work: Promise<unknown>): Promise<void> {
      const done = work.then(() => {}, onError).finally(() => underWay.delete(done));
      underWay.add(done);
      return done;
    },
    over: () => Promise.all(underWay),
  };
}
