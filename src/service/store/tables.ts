import type { ColumnType, Generated } from 'kysely';
import type { JobRow } from './jobRecord.ts';

/** The rows of the database. In SQL the names are snake_case. */
export interface Tables {
  readonly accounts: AccountRow;
  readonly tokens: TokenRow;
  readonly jobs: JobRow;
  readonly removedJobs: RemovedJobRow;
  readonly deliveries: DeliveryRow;
  readonly store: StoreRow;
}

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly balanceSeconds: number;
  /** Held for jobs in progress: what a new job may use is the balance less this. */
  readonly reservedSeconds: Generated<number>;
  /** Seconds that later jobs are kept after their end, unless they say otherwise. */
  readonly deleteAfterSeconds: Generated<number | null>;
  /** Of the signatures of notifications. */
  readonly signingSecret: Generated<string | null>;
  /** What the account may do at once; null is as for every account. */
  readonly maxStreams: Generated<number | null>;
  readonly maxJobsInProgress: Generated<number | null>;
  readonly requestsPerSecond: Generated<number | null>;
  readonly requestBurst: Generated<number | null>;
  readonly createdOn: ColumnType<Date, Date, never>;
}

/** The token of the account of a first start; one that is given at a start takes its place. */
export const FIRST_TOKEN_ID = 'first';

export interface TokenRow {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  /** By which it is spoken of. */
  readonly id: string;
  readonly accountId: string;
  readonly name: Generated<string | null>;
  readonly createdOn: ColumnType<Date, Date, never>;
  /** Within a minute or so. */
  readonly lastUsedOn: Generated<Date | null>;
}

/** Where a job that was deleted stood in the lists of its account. */
export interface RemovedJobRow {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly createdOn: Date;
  readonly removedOn: Date;
}

/** A notification that was not delivered yet; the exact bytes, so that every try is signed over the same. */
export interface DeliveryRow {
  readonly id: string;
  readonly jobId: string;
  readonly accountId: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
  readonly createdOn: ColumnType<Date, Date, never>;
}

/** One row: which directory has the objects. */
export interface StoreRow {
  readonly directoryId: string;
}
