import type { ColumnType, Generated } from 'kysely';
import type { DeskRole, DeskTurn } from '../../protocol/desk.ts';
import type { JobRow } from './jobRecord.ts';

/** The tables of the database. Names are snake_case in SQL. */
export interface Tables {
  readonly accounts: AccountRow;
  readonly tokens: TokenRow;
  /** A short-lived token of a token, by their hashes. */
  readonly streamTokens: {
    readonly hash: string;
    readonly accountId: string;
    readonly minter: string;
    readonly expiresOn: Date;
    readonly maxSessions: number | null;
    readonly metadata: string | null;
  };
  readonly jobs: JobRow;
  /** The position of a deleted job in the lists of its account. */
  readonly removedJobs: {
    readonly id: string;
    readonly accountId: string;
    readonly type: string;
    readonly createdOn: Date;
    readonly removedOn: Date;
  };
  /** A pending notification, with its exact bytes, so that all attempts sign the same ones. */
  readonly deliveries: {
    readonly id: string;
    readonly jobId: string;
    readonly accountId: string;
    readonly url: string;
    readonly authorization: string | null;
    readonly body: string;
    readonly createdOn: ColumnType<Date, Date, never>;
  };
  /** The only row: the directory of the objects. */
  readonly store: {
    readonly directoryId: string;
  };
  readonly members: MemberRow;
  /** A running stream, which counts as long as its member is alive. */
  readonly streams: {
    readonly id: string;
    readonly accountId: string;
    readonly memberId: string;
  };
  /** The token bucket of an account's requests. */
  readonly requestRates: {
    readonly accountId: string;
    readonly level: number;
    readonly changedOn: Date;
  };
  /** The booked use of a job that is measured while it runs. */
  readonly meters: {
    readonly id: string;
    readonly accountId: string;
    /** Seconds of audio used so far. */
    readonly seconds: number;
    /** Seconds that the last booking added. */
    readonly addedSeconds: number;
    /** Time of the last booking, by the clock of the database. */
    readonly changedOn: Date;
  };
  /** The latest turn of a lane that has begun. */
  readonly turns: {
    readonly lane: string;
    readonly turn: number;
  };
  /** Maintenance that one process does for all. */
  readonly sweeps: {
    readonly name: string;
    readonly startedOn: Date;
  };
  /** A person who transcribes, or an admin of the desk. */
  readonly deskUsers: {
    readonly name: string;
    readonly role: DeskRole;
    /** A salted hash; see `hashPassword`. */
    readonly password: string;
    readonly createdOn: ColumnType<Date, Date, never>;
    readonly disabledOn: Generated<Date | null>;
  };
  /** A log-in at the desk. */
  readonly deskSessions: {
    /** SHA-256 of the token in its cookie, in hexadecimal. */
    readonly hash: string;
    readonly userName: string;
    readonly begunOn: ColumnType<Date, Date, never>;
    /** Accurate to about a minute. */
    readonly usedOn: Date;
  };
  /** A text that a person has begun, for a waiting job. */
  readonly deskDrafts: {
    readonly jobId: string;
    /** Number of saves. */
    readonly revision: number;
    readonly savedOn: Date;
    readonly savedBy: Generated<string | null>;
    readonly speakerNames: ColumnType<readonly string[] | null, string | undefined, string>;
  };
  /** Consecutive turns of a draft. A save rewrites those that it changes only. */
  readonly deskBlocks: {
    readonly id: string;
    readonly jobId: string;
    /** Ascending in a draft. */
    readonly place: number;
    readonly turns: ColumnType<readonly DeskTurn[], string, string>;
  };
  /** An action at the desk, without any text of a transcript. */
  readonly deskEvents: {
    readonly id: string;
    readonly happenedOn: Date;
    readonly userName: string;
    readonly action: string;
    readonly jobId: string | null;
    /** Address of the client whose log-in failed. */
    readonly address: Generated<string | null>;
    /** The customer of a job that was finished, and the seconds that were to be transcribed. */
    readonly accountId: Generated<string | null>;
    readonly seconds: Generated<number | null>;
    /** Words of the machine in these seconds, and how many of them the person has changed. */
    readonly words: Generated<number | null>;
    readonly changedWords: Generated<number | null>;
  };
  /** A term that a transcriber proposes for the vocabulary of an account; deleted with the job that it comes from. */
  readonly deskProposals: {
    readonly id: string;
    readonly accountId: string;
    readonly phrase: string;
    readonly jobId: string;
    readonly proposedBy: string;
    readonly proposedOn: Date;
  };
}

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly balanceSeconds: number;
  /** Seconds held for jobs in progress; a new job may use the balance less these. */
  readonly reservedSeconds: Generated<number>;
  /** Seconds that new jobs are kept after their end, unless they state a time of their own. */
  readonly deleteAfterSeconds: Generated<number | null>;
  /** Secret of the signatures of notifications. */
  readonly signingSecret: Generated<string | null>;
  /** Limits of the account; null for the default. */
  readonly maxStreams: Generated<number | null>;
  readonly maxJobsInProgress: Generated<number | null>;
  readonly requestsPerSecond: Generated<number | null>;
  readonly requestBurst: Generated<number | null>;
  /** Time of the latest step of its deletion; null for an account in use. */
  readonly removedOn: Generated<Date | null>;
  readonly createdOn: ColumnType<Date, Date, never>;
}

/** Id of the token of the first account; a token given at a start replaces it. */
export const FIRST_TOKEN_ID = 'first';

export interface TokenRow {
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  /** Public id of the token. */
  readonly id: string;
  readonly accountId: string;
  readonly name: Generated<string | null>;
  readonly createdOn: ColumnType<Date, Date, never>;
  /** Accurate to about a minute. */
  readonly lastUsedOn: Generated<Date | null>;
}

/** A running process of the service. */
export interface MemberRow {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  /** Time of its last heartbeat, by the clock of the database. */
  readonly seenOn: Date;
}
