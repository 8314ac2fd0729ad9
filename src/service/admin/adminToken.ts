import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MIN_ADMIN_TOKEN_LENGTH } from '../../protocol/admin.ts';
import { bearerToken, hashToken } from '../accounts/tokens.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';

/**
 * Checks the token with which operators reach a service over the network.
 *
 * @throws InvalidArgumentError when it could be guessed
 */
export function checkAdminToken(token: string): void {
  if (new RegExp(`^[\\x21-\\x7e]{${MIN_ADMIN_TOKEN_LENGTH},}$`).test(token)) return;
  throw new InvalidArgumentError(
    `admin token: wanted at least ${MIN_ADMIN_TOKEN_LENGTH} visible ASCII characters without white space, ` +
      `found ${token.length} characters`,
  );
}

/** Lets only requests with the admin token pass. */
export function adminTokenGuard(
  token: string,
  throttle: AuthenticationThrottle,
): (app: FastifyInstance) => void {
  const expected = Buffer.from(hashToken(token));
  const isAdmin = (candidate: string) => timingSafeEqual(Buffer.from(hashToken(candidate)), expected);
  return app => {
    app.addHook('onRequest', async ({ ip, headers }) => {
      const reception = await throttle.receive(
        ip,
        bearerToken(headers.authorization),
        async candidate => isAdmin(candidate) || undefined,
      );
      if (reception.kind === 'later') throw tooManyRequests(reception.waitMs);
      if (reception.kind === 'unknown') throw new ProblemError('unauthorized');
    });
  };
}
