import { Value } from 'typebox/value';
import { InvalidArgumentError } from '../../base/errors.ts';
import { EmailSchema } from '../../protocol/admin.ts';
import type { AccountLimits } from '../limits.ts';

/** Credit in seconds of audio that the account of a first start is given. */
export const INITIAL_BALANCE_SECONDS = 1_000_000_000;
export const OWNER_EMAIL = 'owner@localhost';

/** Who may use the service, and how much of it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** Credit that is left, in seconds of audio; not rounded. */
  readonly balanceSeconds: number;
}

/** Whose a token is. */
export interface Caller {
  readonly accountId: string;
  /** Limits of this account; the service's own hold for what is absent. */
  readonly limits: Partial<AccountLimits>;
}

/** The credit of one running job. */
export interface CreditMeter {
  /** False once the account's credit, less what all its running jobs used, is gone. True while it is not known. */
  readonly hasCredit: boolean;
  /** Counts audio. */
  use(seconds: number): void;
  /** Books what was used, in the background. Once; later calls do nothing. */
  settle(): void;
}

/** The accounts of a service. */
export interface Accounts {
  /** Whose a token is; asked for requests, and every few seconds for each stream. Waits for the store only when it must. */
  authenticate(token: string): Promise<Caller | undefined>;
  /** An account as it is now. */
  find(accountId: string): Promise<Account | undefined>;
  /** Begins to count; never waits. */
  openMeter(accountId: string): CreditMeter;
  /** Has the meters of an account know its credit as it is now: others may have changed it. */
  refreshCredit(accountId: string): Promise<void>;
  /** Resolves when everything is booked. */
  close(): Promise<void>;
}

/** An account as operators see it. */
export interface AccountRecord extends Account {
  /** Credit that is held for queued jobs; part of the balance. */
  readonly reservedSeconds: number;
  readonly createdOn: Date;
  /** Seconds that jobs are kept after their end, unless they say otherwise. */
  readonly deleteAfterSeconds?: number;
  /** Its notifications are signed. */
  readonly hasSigningSecret: boolean;
  /** Limits of its own. */
  readonly limits: Partial<AccountLimits>;
}

/** A token as operators see it: never the token itself. */
export interface TokenRecord {
  readonly id: string;
  readonly name?: string;
  readonly createdOn: Date;
  /** Within a minute or so. */
  readonly lastUsedOn?: Date;
}

/** What is to be different; what is absent stays, and null is as for every account. */
export interface SettingsChange {
  readonly email?: string;
  readonly deleteAfterSeconds?: number | null;
  readonly signingSecret?: string | null;
  readonly limits?: { readonly [Name in keyof AccountLimits]?: number | null };
}

/** Which accounts a list shows. */
export interface AccountPage {
  /** Only accounts whose e-mail address comes after this one. */
  readonly afterEmail?: string;
  readonly limit: number;
}

/** The administration of accounts. Changes take effect at once in this service, and within seconds in others. */
export interface Administration {
  /** Undefined when there is an account of that e-mail address. */
  create(email: string, creditSeconds: number): Promise<AccountRecord | undefined>;
  /** By e-mail address. */
  list(page: AccountPage): Promise<readonly AccountRecord[]>;
  find(idOrEmail: string): Promise<AccountRecord | undefined>;
  /** Adds a token to those that the account has. The token itself is told here only. */
  createToken(accountId: string, name?: string): Promise<TokenRecord & { readonly token: string }>;
  /** Oldest first. */
  listTokens(accountId: string): Promise<readonly TokenRecord[]>;
  /** False when the account has no such token. */
  revokeToken(accountId: string, tokenId: string): Promise<boolean>;
  /** Makes all tokens of an account worthless. */
  revokeTokens(accountId: string): Promise<void>;
  /** Deletes an account, with whatever is left in the database of it. */
  remove(accountId: string): Promise<void>;
  /** @param seconds below zero takes credit away */
  addCredit(accountId: string, seconds: number): Promise<void>;
  /** False when another account has the e-mail address. */
  change(accountId: string, change: SettingsChange): Promise<boolean>;
}

/**
 * Checks the e-mail address of an account.
 *
 * @throws InvalidArgumentError
 */
export function checkEmail(email: string): void {
  if (Value.Check(EmailSchema, email)) return;
  throw new InvalidArgumentError(`account: wanted an e-mail address, as ada@example.org, found "${email}"`);
}
