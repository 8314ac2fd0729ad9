import { METHODS } from 'node:http';
import { type Context, context, type Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instruments } from './createInstruments.ts';
import { REQUEST_ID_HEADER } from './requestId.ts';
import { startServerSpan } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of the span of the request. */
    spanContext: Context;
  }
}

/** Status of a request whose client left before the answer, in the log of proxies. */
const CLIENT_GONE = 499;

/** Records a span and a duration of each request, by its route, never its path. Its work runs within the span. */
export function observeRequests(app: FastifyInstance, instruments: Instruments): void {
  app.decorateRequest('spanContext');
  app.addHook('onRequest', (request, reply, done) => {
    const { id: requestId, headers } = request;
    const { span, spanContext } = startServerSpan({ ...namesOf(request), requestId, headers });
    request.spanContext = spanContext;
    reply.raw.once('close', () => endRequest(span, request, reply, instruments));
    context.with(spanContext, done);
  });
  // The end of a body is an event of its socket, outside of the span.
  app.addHook('preHandler', (request, _reply, done) => context.with(request.spanContext, done));
}

function endRequest(
  span: Span,
  request: FastifyRequest,
  { raw, statusCode, elapsedTime }: FastifyReply,
  instruments: Instruments,
): void {
  const { method, route } = namesOf(request);
  const status = raw.writableFinished ? statusCode : CLIENT_GONE;
  const outcome = {
    'http.response.status_code': status,
    ...(status >= 500 && { 'error.type': String(status) }),
  };
  instruments.record('requestDuration', elapsedTime / 1000, {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    // Behind a trusted proxy, the protocol is the text of a header.
    'url.scheme': request.protocol === 'https' ? 'https' : 'http',
    ...outcome,
  });
  if (request.accountId) span.setAttribute('rxscribe.account.id', request.accountId);
  span.setAttributes(outcome);
  span.end();
}

/** Returns the method, unless a client invented it, and the template of the route, if any. */
function namesOf({ method, routeOptions }: FastifyRequest) {
  return { method: METHODS.includes(method) ? method : '_OTHER', route: routeOptions.url };
}

/** Answers each request with its id. */
export function answerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ id }, reply) => {
    reply.header(REQUEST_ID_HEADER, id);
  });
}
