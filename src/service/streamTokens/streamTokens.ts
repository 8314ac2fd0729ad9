import type { Clock } from '../../base/clock.ts';
import type { StreamTokenRequest } from '../../protocol/jobs.ts';
import type { Accounts, Caller } from '../accounts/accounts.ts';
import { createToken, hashToken } from '../accounts/tokens.ts';
import { tooManyRequests } from '../problems.ts';
import type { GroupLimit } from '../rateLimits/rateLimits.ts';
import type { Tables } from '../store/tables.ts';

/** Stream tokens that an account may have at the same time; requests at the same moment may exceed it by a few. */
export const MAX_STREAM_TOKENS = 10_000;
/** Milliseconds after which a client may try again, when its account has the maximum. */
const EXPIRY_WAIT_MS = 10_000;

/** The limits of a stream token, with its minting token and its end. */
type Grant = Tables['streamTokens'];

/** The stream tokens of a service, by their hashes. */
export interface Grants {
  /** Returns the account of the minting token of a grant; undefined when that token is no longer valid. */
  callerOf(minter: string): Promise<Caller | undefined>;
  find(hash: string): Promise<Grant | undefined>;
  /**
   * @param bearer the minting token
   * @returns its id, where it has one; undefined when it has gone, or the account has too many
   */
  add(grant: Omit<Grant, 'minter'>, bearer: string, now: Date): Promise<{ readonly id?: string } | undefined>;
}

/** The account of a token that opens streams. */
export interface StreamCaller extends Caller {
  /** Returns whether the account still has the token. @throws when that cannot be determined */
  isTokenValid(): Promise<boolean>;
  /** The limit on the sessions of the token. */
  readonly sessions?: GroupLimit;
  /** Metadata of a stream without its own. */
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
      const { expires_in_seconds: seconds = 60, max_sessions: maxSessions = null, metadata = null } = request;
      const token = createToken();
      const now = clock.wallTime();
      const expiresOn = new Date(now + seconds * 1000);
      const grant = { hash: hashToken(token), accountId, expiresOn, maxSessions, metadata };
      const minter = await grants.add(grant, bearer, new Date(now));
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
      const caller = await grants.callerOf(grant.minter);
      // The expiry of a stream token does not end a running stream.
      const isTokenValid = async () => (await grants.callerOf(grant.minter)) !== undefined;
      const sessions = grant.maxSessions === null ? undefined : { key: grant.hash, limit: grant.maxSessions };
      return caller && { ...caller, isTokenValid, sessions, metadata: grant.metadata ?? undefined };
    },
  };
}

/** Keeps stream tokens in memory, for a service of one process without a store. */
export function localGrants({ authenticate }: Pick<Accounts, 'authenticate'>): Grants {
  const grants = new Map<string, Grant>();
  return {
    callerOf: authenticate,
    find: async hash => grants.get(hash),
    async add(grant, minter, now) {
      for (const [hash, { expiresOn }] of grants) {
        if (expiresOn <= now) grants.delete(hash);
      }
      if (grants.size >= MAX_STREAM_TOKENS) return undefined;
      grants.set(grant.hash, { ...grant, minter });
      return {};
    },
  };
}
