import type { Clock } from '../../base/clock.ts';
import type { StreamTokenRequest } from '../../protocol/jobs.ts';
import type { Accounts, Caller } from '../accounts/accounts.ts';
import { createToken, hashToken } from '../accounts/tokens.ts';
import { tooManyRequests } from '../problems.ts';
import type { GroupLimit } from '../rateLimits/rateLimits.ts';
import type { Tables } from '../store/tables.ts';

/** Stream tokens that an account may have at the same time; requests at the same moment may exceed it by a few. */
export const MAX_STREAM_TOKENS = 10_000;
/** Milliseconds after which a client may try again, when its account has that many. */
const EXPIRY_WAIT_MS = 10_000;
const DEFAULT_SECONDS = 60;

/** What a stream token permits. */
type Grant = Tables['streamTokens'];

/** The stream tokens of a service, by their hashes. */
export interface Grants {
  /** Returns how the minting token is kept. */
  minterOf(token: string): string;
  /** Returns the account of a minting token; undefined when that is not valid any more. */
  callerOf(minter: string): Promise<Caller | undefined>;
  find(hash: string): Promise<Grant | undefined>;
  /** Returns the id of the minting token, where it has one; undefined when it has gone, or the account has too many. */
  add(grant: Grant, now: Date): Promise<{ readonly id?: string } | undefined>;
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

/** Tokens that open streams only, for a while. */
export type StreamTokens = ReturnType<typeof createStreamTokens>;

/** Creates the stream tokens of accounts. */
export function createStreamTokens(accounts: Pick<Accounts, 'authenticate'>, grants: Grants, clock: Clock) {
  return {
    /**
     * @param bearer the token of the account that mints
     * @throws ProblemError when the account has too many
     */
    async mint(bearer: string, accountId: string, request: StreamTokenRequest) {
      const { expires_in_seconds: seconds = DEFAULT_SECONDS, max_sessions, metadata = null } = request;
      const token = createToken();
      const now = clock.wallTime();
      const expiresOn = new Date(now + seconds * 1000);
      const kept = { hash: hashToken(token), accountId, minter: grants.minterOf(bearer) };
      const grant = { ...kept, expiresOn, maxSessions: max_sessions ?? null, metadata };
      const minter = await grants.add(grant, new Date(now));
      if (!minter) throw tooManyRequests(EXPIRY_WAIT_MS);
      return { token, expiresOn, tokenId: minter.id };
    },
    /** Returns the account of a token that opens streams: its own, or a stream token. */
    async authenticate(token: string): Promise<StreamCaller | undefined> {
      const own = await accounts.authenticate(token);
      if (own)
        return { ...own, isTokenValid: async () => (await accounts.authenticate(token)) !== undefined };
      const grant = await grants.find(hashToken(token));
      if (!grant || grant.expiresOn.getTime() <= clock.wallTime()) return undefined;
      const { hash, minter, maxSessions, metadata } = grant;
      const caller = await grants.callerOf(minter);
      if (!caller) return undefined;
      return {
        ...caller,
        // Its expiry ends no stream that runs.
        isTokenValid: async () => (await grants.callerOf(minter)) !== undefined,
        ...(maxSessions !== null && { sessions: { key: hash, limit: maxSessions } }),
        metadata: metadata ?? undefined,
      };
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
    async add(grant, now) {
      for (const [hash, { expiresOn }] of grants) if (expiresOn <= now) grants.delete(hash);
      if (grants.size >= MAX_STREAM_TOKENS) return undefined;
      grants.set(grant.hash, grant);
      return {};
    },
  };
}
