import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problems.ts';

/** Returns the problem of a path that no route has. */
export function unknownPath(): ProblemError {
  return new ProblemError('unsupportedApi', { detail: 'The service has nothing at this path.' });
}

/**
 * Returns a function that gives the problem of a request without a route: 405 with `Allow` where routes have its path,
 * else 404. Call it before routes are added.
 */
export function unroutedProblems(
  app: FastifyInstance,
): (request: { readonly method: string; readonly url: string }) => ProblemError {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return ({ method, url }) => {
    const path = url.replace(/\?.*/s, '');
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap(route => route.methods);
    if (methods.length === 0 || methods.includes(method)) return unknownPath();
    const allowed = [...new Set(methods)].sort();
    return new ProblemError(
      'methodNotAllowed',
      {
        detail: `The method must be one of ${allowed.join(', ')}, not ${method}.`,
        allowed_values: allowed,
        current_value: method,
      },
      { allow: allowed.join(', ') },
    );
  };
}

/** @example patternOf('/jobs/:id') // matches '/jobs/a' and '/jobs/a/' */
function patternOf(url: string): RegExp {
  const path = url.replace(/\/$/, '').replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*');
  return new RegExp(`^${path}/?$`);
}
