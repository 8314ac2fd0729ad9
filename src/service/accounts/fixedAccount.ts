import { namedOptions } from '../../base/namedOptions.ts';
import { type Accounts, type Caller, INITIAL_BALANCE_SECONDS, OWNER_EMAIL } from './accounts.ts';
import { createLedger } from './ledger.ts';
import { checkToken, tokenCheck } from './tokens.ts';

export interface FixedAccountOptions {
  /** Credit in seconds of audio. Default {@link INITIAL_BALANCE_SECONDS}. */
  readonly balanceSeconds?: number;
}

/**
 * Returns a single account in memory, for a service embedded in another program. Nothing is stored.
 *
 * @example
 * const token = createToken();
 * const service = await createService({ accounts: createFixedAccount(token), recognizer });
 */
export function createFixedAccount(token: string, options: FixedAccountOptions = {}): Accounts {
  const { balanceSeconds = INITIAL_BALANCE_SECONDS } = namedOptions('FixedAccountOptions', options);
  checkToken(token);
  const id = 'owner';
  const isRight = tokenCheck(token);
  const caller: Caller = { accountId: id, limits: {} };
  const ledger = createLedger();
  ledger.setCredit(id, balanceSeconds);
  return {
    authenticate: async candidate => (isRight(candidate) ? caller : undefined),
    async find(accountId) {
      if (accountId !== id) return undefined;
      return { id, email: OWNER_EMAIL, balanceSeconds: ledger.credit(id) ?? balanceSeconds };
    },
    openMeter: accountId => ledger.openMeter(accountId, ({ seconds }) => ledger.book(accountId, seconds)),
    refreshCredit: async () => {},
    close: async () => {},
  };
}
