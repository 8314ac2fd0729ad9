import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { SPEECH_TO_TEXT_PREFIX, STREAM_PATH } from '../protocol/paths.ts';
import { accountRoute } from './areas/accountRoute.ts';
import type { AreaContext } from './areas/area.ts';
import { areaRoutes } from './areas/areaRoutes.ts';
import { AREAS } from './areas/areas.ts';
import { ProblemError, parameterFaults } from './problems.ts';
import { type AdmitOptions, admitRequests } from './rateLimits/admitRequests.ts';

export interface RoutesOptions extends AreaContext, AdmitOptions {
  /** What the service is still waiting for; empty when it is ready. */
  readonly missing: () => readonly string[];
}

/** Everything that is answered over HTTP. */
export function registerRoutes(app: FastifyInstance, options: RoutesOptions): void {
  const { names, region } = options;
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async () => {
    const missing = options.missing();
    if (missing.length === 0) return { status: 'ok' };
    throw new ProblemError('unavailable', { detail: `Not ready: ${missing.join(', ')}` });
  });
  app.get(STREAM_PATH, async () => {
    if (!region.streaming) throw new ProblemError('unsupportedApi');
    throw new ProblemError(
      'invalidParameters',
      parameterFaults({ upgrade: ['expected a WebSocket handshake'] }),
    );
  });
  app.register(authenticated(options));
  const absent = AREAS.filter(area => !region.areas.includes(area.name));
  for (const prefix of absent.flatMap(area => area.prefixes(names))) {
    const refuse = async () => Promise.reject(new ProblemError('unsupportedApi'));
    app.all(prefix, refuse);
    app.all(`${prefix}/*`, refuse);
  }
}

/** Routes for who has a token. */
function authenticated(options: RoutesOptions): FastifyPluginAsync {
  const { names, region } = options;
  const areas = AREAS.filter(area => region.areas.includes(area.name));
  return async app => {
    admitRequests(app, options);
    for (const area of areas) areaRoutes(app, area, options);
    accountRoute(app, SPEECH_TO_TEXT_PREFIX, options);
    if (region.areas.includes('legacy')) accountRoute(app, names.legacyPrefix, options);
  };
}
