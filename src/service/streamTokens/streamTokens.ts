import type { Clock } from '../../base/clock.ts';
import type { Accounts, Caller } from '../accounts/accounts.ts';
import { createToken, hashToken } from '../accounts/tokens.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import type { GroupLimit } from '../rateLimits/rateLimits.ts';

/** Stream tokens that an account may have at the same time; requests at the same moment may exceed it by a few. */
export const MAX_STREAM_TOKENS = 10_000;
/** Milliseconds after which a client may try again, when its account has that many. */
const EXPIRY_WAIT_MS = 10_000;

/** What a stream token permits. */
export interface Grant {
  readonly hash: string;
  readonly accountId: string;
  /** The account's token that minted it, as its {@link Grants} know it. */
  readonly minter: string;
  readonly expiresOn: Date;
  readonly maxSessions: number | null;
  readonly metadata: string | null;
}

/** The stream tokens of a service. */
export interface Grants {
  /** Returns how the minting token is kept. */
  minterOf(token: string): string;
  /** Returns the account of a minting token; undefined when that is not valid any more. */
  callerOf(minter: string): Promise<Caller | undefined>;
  find(hash: string): Promise<Grant | undefined>;
  /** Returns how many unexpired ones the account has, and the id of the minting token; undefined without that token. */
  count(
    minted: Grant,
    now: Date,
  ): Promise<{ readonly living: number; readonly minterId?: string } | undefined>;
  add(grant: Grant): Promise<void>;
}

/** The account behind a token that opens streams. */
export interface StreamCaller extends Caller {
  /** Returns whether the account still has the token. @throws when that cannot be determined */
  isTokenValid(): Promise<boolean>;
  /** The limit on the sessions of the token. */
  readonly sessions?: GroupLimit;
  /** Metadata of a stream that has none of its own. */
  readonly metadata?: string;
}

export interface StreamTokensOptions {
  readonly accounts: Pick<Accounts, 'authenticate'>;
  readonly grants: Grants;
  readonly clock: Clock;
}

/** Tokens that open streams only, for a while. */
export type StreamTokens = ReturnType<typeof createStreamTokens>;

export function createStreamTokens({ accounts, grants, clock }: StreamTokensOptions) {
  return {
    /** @throws ProblemError when the account has too many, or the minting token has been revoked */
    async mint(
      { accountId, minter }: { readonly accountId: string; readonly minter: string },
      { seconds, ...limits }: { readonly seconds: number } & Pick<Grant, 'maxSessions' | 'metadata'>,
    ) {
      const token = createToken();
      const now = clock.wallTime();
      const expiresOn = new Date(now + seconds * 1000);
      const kept = { hash: hashToken(token), accountId, minter: grants.minterOf(minter), expiresOn };
      const grant: Grant = { ...kept, ...limits };
      const counted = await grants.count(grant, new Date(now));
      if (!counted) throw new ProblemError('unauthorized');
      if (counted.living >= MAX_STREAM_TOKENS) throw tooManyRequests(EXPIRY_WAIT_MS);
      await grants.add(grant);
      return { token, expiresOn, minterId: counted.minterId };
    },
    /** Returns the account of a token that opens streams: its own, or a stream token. */
    async authenticate(token: string): Promise<StreamCaller | undefined> {
      const known = await accounts.authenticate(token);
      if (known) {
        return { ...known, isTokenValid: async () => (await accounts.authenticate(token)) !== undefined };
      }
      const grant = await grants.find(hashToken(token));
      if (!grant || grant.expiresOn.getTime() <= clock.wallTime()) return undefined;
      const { hash, minter, maxSessions, metadata } = grant;
      const caller = await grants.callerOf(minter);
      return (
        caller && {
          ...caller,
          isTokenValid: async () => (await grants.callerOf(minter)) !== undefined,
          ...(maxSessions !== null && { sessions: { key: hash, limit: maxSessions } }),
          ...(metadata !== null && { metadata }),
        }
      );
    },
  };
}

/** Keeps stream tokens in memory, for a service of one process without a store. */
export function localGrants({ authenticate }: Pick<Accounts, 'authenticate'>): Grants {
  const grants = new Map<string, Grant>();
  return {
    minterOf: token => token,
    callerOf: authenticate,
    find: async hash => grants.get(hash),
    async count({ accountId }, now) {
      for (const [hash, { expiresOn }] of grants) if (expiresOn <= now) grants.delete(hash);
      return { living: [...grants.values()].filter(grant => grant.accountId === accountId).length };
    },
    add: async grant => void grants.set(grant.hash, grant),
  };
}
