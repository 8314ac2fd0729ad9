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

/** The account behind a token. */
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

/** An account as shown to operators. */
export interface AccountRecord extends Account {
  /** Credit held for queued jobs; part of the balance. */
  readonly reservedSeconds: number;
  readonly createdOn: Date;
  /** Seconds that jobs are kept after their end, unless they state a time of their own. */
  readonly deleteAfterSeconds?: number;
  /** True when its notifications are signed. */
  readonly hasSigningSecret: boolean;
  /** Limits of this account only. */
  readonly limits: Partial<AccountLimits>;
  /** True while the account is being deleted. */
  readonly isClosed: boolean;
}

/** A token as shown to operators, without the token itself. */
export interface TokenRecord {
  readonly id: string;
  readonly name?: string;
  readonly createdOn: Date;
  /** Accurate to about a minute. */
  readonly lastUsedOn?: Date;
}

/** New settings of an account: absent ones stay, null restores the default. */
export interface SettingsChange {
  readonly email?: string;
  readonly deleteAfterSeconds?: number | null;
  readonly signingSecret?: string | null;
  readonly limits?: { readonly [Name in keyof AccountLimits]?: number | null };
}

/** One page of accounts. */
export interface AccountPage {
  /** Starts after this e-mail address. */
  readonly afterEmail?: string;
  readonly limit: number;
}

/** The administration of accounts. Changes take effect at once in this process, and within seconds in others. */
export interface Administration {
  /** Returns undefined when an account with this e-mail address exists. */
  create(email: string, creditSeconds: number): Promise<AccountRecord | undefined>;
  /** Ordered by e-mail address. */
  list(page: AccountPage): Promise<readonly AccountRecord[]>;
  find(idOrEmail: string): Promise<AccountRecord | undefined>;
  /** Adds a token to those of the account. The token itself is returned only here. */
  createToken(accountId: string, name?: string): Promise<TokenRecord & { readonly token: string }>;
  /** Oldest first. */
  listTokens(accountId: string): Promise<readonly TokenRecord[]>;
  /** Returns false when the account has no such token. */
  revokeToken(accountId: string, tokenId: string): Promise<boolean>;
  /** Closes an account for good: revokes its tokens, and leaves its data to `Jobs.removeAll`. */
  close(accountId: string): Promise<void>;
  /** @param seconds negative to take credit away */
  addCredit(accountId: string, seconds: number): Promise<void>;
  /** Returns false when another account has the e-mail address. */
  change(accountId: string, change: SettingsChange): Promise<boolean>;
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
