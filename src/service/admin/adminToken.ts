import type { FastifyInstance } from 'fastify';
import { InvalidArgumentError } from '../../base/errors.ts';
import { MIN_ADMIN_TOKEN_LENGTH } from '../../protocol/admin.ts';
import { bearerToken, tokenCheck } from '../accounts/tokens.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import type { AuthenticationThrottle } from '../rateLimits/authenticationThrottle.ts';

/**
 * Checks the token by which operators reach a service over the network.
 *
 * @throws InvalidArgumentError when it is short enough to be guessed
 */
export function checkAdminToken(token: string): void {
  if (new RegExp(`^[\\x21-\\x7e]{${MIN_ADMIN_TOKEN_LENGTH},}$`).test(token)) return;
  throw new InvalidArgumentError(
    `Option 'adminToken' must have at least ${MIN_ADMIN_TOKEN_LENGTH} characters, all of them visible ASCII ` +
      `(found: ${token.length} characters).`,
  );
}

/** Returns a hook that lets only requests with the admin token pass. */
export function adminTokenGuard(
  token: string,
  throttle: AuthenticationThrottle,
): (app: FastifyInstance) => void {
  const isAdmin = tokenCheck(token);
  return app => {
    app.addHook('onRequest', async ({ ip, headers }) => {
      const authentication = await throttle.authenticate(
        ip,
        bearerToken(headers.authorization),
        async candidate => isAdmin(candidate) || undefined,
      );
      if (authentication.kind === 'throttled') throw tooManyRequests(authentication.waitMs);
      if (authentication.kind === 'unauthorized') throw new ProblemError('unauthorized');
    });
  };
}
