import type { Accounts } from '../accounts/accounts.ts';
import { OWNER_ID } from '../accounts/firstAccount.ts';
import { createToken, hashToken } from '../accounts/tokens.ts';

/** Returns accounts with a further token, of the first account and in this process only. */
export function withLocalToken<A extends Pick<Accounts, 'authenticate'>>(accounts: A) {
  const localToken = createToken();
  const hash = hashToken(localToken);
  const owner = { accountId: OWNER_ID, limits: {} };
  return {
    ...accounts,
    localToken,
    authenticate: async (token: string) => (hashToken(token) === hash ? owner : accounts.authenticate(token)),
  };
}
