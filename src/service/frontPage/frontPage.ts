import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FrontPageJson } from '../../protocol/frontPage.ts';
import { isLoopback } from '../../web/requestAddresses.ts';
import { HIDDEN } from '../openApi/openOperations.ts';
import type { Region } from '../region.ts';
import { assetRoute, sendDocument } from './pageRoutes.ts';

export interface FrontPageOptions {
  readonly region: Region;
  /** Token for the page in browsers of this computer. Default: people log in with one of their own. */
  readonly localToken?: string;
}

/** The microphone is resampled by WebAssembly, and recordings are played from memory. */
const DOCUMENT = { hasWasm: true, policy: ['media-src blob:'] } as const;

/** Adds the page `/`, on which people try the service. */
export function frontPage(app: FastifyInstance, { region, localToken }: FrontPageOptions): void {
  app.get('/', HIDDEN, async (request, reply) => sendDocument(request, reply, 'front', DOCUMENT));
  assetRoute(app, '');
  // A POST, as a browser then sends the origin of the page.
  app.post('/front.json', HIDDEN, async (request, reply): Promise<FrontPageJson> => {
    reply.header('cache-control', 'no-store');
    const { streaming, desk } = region;
    return { streaming, desk, ...(isOfThisComputer(request) && { token: localToken }) };
  });
}

/**
 * Returns whether a request comes from a page of this service in a browser of this computer: not from a page of another site,
 * also not by a name that leads here (DNS rebinding), and not through a proxy.
 */
function isOfThisComputer({ headers, socket }: FastifyRequest): boolean {
  return (
    headers.origin === `http://${headers.host}` &&
    isLoopback(headers.host ?? '') &&
    isLoopback(socket.remoteAddress ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined
  );
}
