import type { PasswordCost } from '../../src/service/desk/passwords.ts';

/** A cost at which the hash of a password takes no time. */
export const FAST_PASSWORDS: PasswordCost = { N: 16, r: 1, p: 1 };
