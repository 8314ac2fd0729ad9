import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { ProblemError } from '../problems.ts';
import { accountRoutes } from './accountRoutes.ts';
import type { AdminContext } from './adminContext.ts';
import { humanJobRoutes } from './humanJobRoutes.ts';
import { tokenRoutes } from './tokenRoutes.ts';

/** A store that is just being opened is waited for. */
const STORE_WAIT_MS = 10_000;

/**
 * All that operators can do.
 *
 * @param guard ends the requests of who may not
 */
export function adminRoutes(
  context: AdminContext,
  guard: (app: FastifyInstance) => void = () => {},
): FastifyPluginAsync {
  return async app => {
    guard(app);
    app.addHook('onRequest', async ({ params }) => {
      // No id has it, and a database does not even compare it.
      if (Object.values(params as object).some(part => part.includes('\0')))
        throw new ProblemError('notFound');
      await withTimeout(context.opened, { clock: context.clock, timeoutMs: STORE_WAIT_MS });
    });
    accountRoutes(app, context);
    tokenRoutes(app, context);
    humanJobRoutes(app, context);
  };
}
