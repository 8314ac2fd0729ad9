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
