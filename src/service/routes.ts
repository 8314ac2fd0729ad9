import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { STREAM_PATH } from '../protocol/paths.ts';
import { accountRoute } from './areas/accountRoute.ts';
import type { AreaContext } from './areas/area.ts';
import { jobRoutes } from './areas/jobRoutes.ts';
import { speechToText } from './areas/speechToText.ts';
import { transcriptRoute } from './areas/transcriptRoute.ts';
import { ProblemError, parameterFaults } from './problems.ts';
import { type AdmitOptions, admitRequests } from './rateLimits/admitRequests.ts';
import type { Region } from './region.ts';

export interface RoutesOptions extends AreaContext, AdmitOptions {
  readonly region: Region;
  /** What the service is still waiting for; empty when it is ready. */
  readonly missing: () => readonly string[];
}

/** Everything that is answered over HTTP. */
export function registerRoutes(app: FastifyInstance, options: RoutesOptions): void {
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async () => {
    const missing = options.missing();
    if (missing.length === 0) return { status: 'ok' };
    throw new ProblemError('unavailable', { detail: `Not ready: ${missing.join(', ')}` });
  });
  app.get(STREAM_PATH, async () => {
    if (!options.region.streaming) throw new ProblemError('unsupportedApi');
    throw new ProblemError(
      'invalidParameters',
      parameterFaults({ upgrade: ['expected a WebSocket handshake'] }),
    );
  });
  const account = accountRoute(options);
  const speech = [jobRoutes(speechToText, options), transcriptRoute(speechToText, options), account];
  app.register(authenticated(options, speech), { prefix: speechToText.prefix });
  const { legacyPrefix } = options.names;
  if (options.region.legacy) app.register(authenticated(options, [account]), { prefix: legacyPrefix });
  else app.all(`${legacyPrefix}/*`, async () => Promise.reject(new ProblemError('unsupportedApi')));
}

/** Routes for who has a token. */
function authenticated(options: RoutesOptions, plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync {
  return async app => {
    admitRequests(app, options);
    for (const plugin of plugins) await app.register(plugin);
  };
}
