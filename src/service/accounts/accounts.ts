import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../base/errors.ts';
import { EmailSchema } from '../../protocol/admin.ts';
import type { AccountLimits } from '../limits.ts';

/** Initial credit of the account created at the first start, in seconds of audio. */
export const INITIAL_BALANCE_SECONDS = 1_000_000_000;
export const OWNER_EMAIL = 'owner@localhost';

/** An account with its credit. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** Remaining credit in seconds of audio; not rounded. */
  readonly balanceSeconds: number;
}

/** The account of a token. */
export interface Caller {
  readonly accountId: string;
  /** Limits of this account; those of the service apply where absent. */
  readonly limits: Partial<AccountLimits>;
}

/** The credit of one running job. */
export interface CreditMeter {
  /** False once the credit of the account, less the use of all its running jobs, is spent. True while it is unknown. */
  readonly hasCredit: boolean;
  /** Counts seconds of audio. */
  use(seconds: number): void;
  /** Books the counted seconds in the background. Later calls do nothing. */
  settle(): void;
}

/** The accounts of a service. */
export interface Accounts {
  /**
   * Returns the account of a token; undefined for an unknown one. Called for each request, and every few seconds for each
   * stream.
   */
  authenticate(token: string): Promise<Caller | undefined>;
  /** Returns the current state of an account. */
  find(accountId: string): Promise<Account | undefined>;
  /** Starts a meter; never waits. */
  openMeter(accountId: string): CreditMeter;
  /** Updates the credit known to the meters of an account, which other processes may have changed. */
  refreshCredit(accountId: string): Promise<void>;
  /** Resolves when all use is booked. */
  close(): Promise<void>;
}

/**
 * Checks the e-mail address of an account.
 *
 * @throws InvalidArgumentError
 */
export function checkEmail(email: string): void {
  if (Value.Check(EmailSchema, email)) return;
  throw new InvalidArgumentError(
    `E-mail address '${email}' of the account is not valid (allowed: addresses such as ada@example.org).`,
  );
}
