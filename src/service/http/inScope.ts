import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/**
 * Adds routes in a scope of their own: hooks and parsers that are added there apply to these routes only.
 *
 * @param prefix before the paths of the routes; default none
 */
export function inScope(
  app: FastifyInstance,
  addRoutes: (scope: FastifyInstance) => unknown,
  prefix?: string,
): void {
  const plugin: FastifyPluginAsync = async scope => {
    await addRoutes(scope);
  };
  app.register(plugin, { prefix });
}
