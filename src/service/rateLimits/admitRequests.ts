import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { STREAM_TOKENS_PATH } from '../../protocol/interfaceNames.ts';
import type { Accounts, Caller } from '../accounts/accounts.ts';
import { bearerToken } from '../accounts/tokens.ts';
import type { AccountLimits } from '../limits.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import type { RateLimits } from './rateLimits.ts';

/** Milliseconds to wait for a store that is being opened, and for its answer about a token. */
export const STORE_WAIT_MS = 10_000;
/** Milliseconds after which a client may submit again, when the account has reached its number of jobs. */
const PLACE_WAIT_MS = 10_000;

export interface AdmitOptions extends Omit<RateLimits, 'streamSlots'> {
  readonly accounts: Accounts;
  /** Resolves when the store is open. */
  readonly opened: Promise<unknown>;
  readonly clock: Clock;
}

/** Authenticates all requests of a scope and applies the limits of their accounts. */
export function admitRequests(app: FastifyInstance, options: AdmitOptions): void {
  app.decorateRequest('accountId', '');
  app.decorateRequest('endSubmission', () => {});
  app.addHook('onRequest', async (request, reply) => {
    await withTimeout(options.opened, { clock: options.clock, timeoutMs: STORE_WAIT_MS });
    const { accountId, limits } = await callerOf(request, options);
    const submitted = await enforceLimits(
      request,
      accountId,
      { ...options.accountLimits, ...limits },
      options,
    );
    if (submitted) {
      request.endSubmission = submitted;
      reply.raw.once('close', submitted);
    }
    request.accountId = accountId;
  });
}

/**
 * Resolves with the caller.
 *
 * @throws RxscribeError `store`, `timeout`
 * @throws ProblemError for an invalid token, or too many of them from one address
 */
async function callerOf(
  { ip, headers }: FastifyRequest,
  { accounts, throttle, clock }: AdmitOptions,
): Promise<Caller> {
  const authentication = await throttle.authenticate(ip, bearerToken(headers.authorization), token =>
    withTimeout(accounts.authenticate(token), { clock, timeoutMs: STORE_WAIT_MS }),
  );
  if (authentication.kind === 'known') return authentication.caller;
  if (authentication.kind === 'throttled') throw tooManyRequests(authentication.waitMs);
  throw new ProblemError('unauthorized');
}

/**
 * @returns a function to be called when the request is over, for one that submits a job
 * @throws ProblemError when the account has reached one of its limits
 */
async function enforceLimits(
  { method, routeOptions }: FastifyRequest,
  accountId: string,
  limits: AccountLimits,
  { rates, jobSlots }: AdmitOptions,
): Promise<(() => void) | undefined> {
  const flow = { perSecond: limits.requestsPerSecond, burst: limits.requestBurst };
  const waitMs = await rates.take(accountId, flow);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  // Every other POST submits a job.
  if (method !== 'POST' || routeOptions.url === STREAM_TOKENS_PATH) return undefined;
  const submitted = await jobSlots.take(accountId, limits);
  if (!submitted) throw tooManyRequests(PLACE_WAIT_MS);
  return submitted;
}
