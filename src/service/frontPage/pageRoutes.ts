import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RxscribeError } from '../../base/errors.ts';
import { type DocumentOptions, type PageResponse, pagesAt } from '../../web/pageFiles.ts';
import { HIDDEN } from '../openApi/openOperations.ts';
import { ProblemError } from '../problems.ts';

/** The pages. The path is the same from `src` and from `dist`. */
const pages = pagesAt(URL.parse('../../../dist/pages/', import.meta.url));

/** Answers with the document of a page, which may use styles of its own by a nonce. @throws ProblemError `unavailable` when it is not built */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  options?: DocumentOptions,
): FastifyReply {
  const styleNonce = randomBytes(16).toString('base64');
  return send(
    reply,
    builtOrUnavailable(() => pages.document(request, name, { ...options, styleNonce })),
  );
}

/** Adds the route of scripts and styles, below the path of a page. */
export function assetRoute(app: FastifyInstance, prefix: string): void {
  app.get<{ Params: { '*': string } }>(`${prefix}/assets/*`, HIDDEN, async (request, reply) => {
    const asset = builtOrUnavailable(() => pages.asset(request, `assets/${request.params['*']}`));
    if (!asset) throw new ProblemError('notFound');
    return send(reply, asset);
  });
}

function builtOrUnavailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RxscribeError)) throw error;
    throw new ProblemError('unavailable', { detail: error.message });
  }
}

function send(reply: FastifyReply, { headers, body }: PageResponse): FastifyReply {
  return reply.headers(headers).serializer(String).send(body);
}
