import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { problemOfError } from '../../http/httpApp.ts';
import { PROBLEMS, type ProblemError } from '../../problems.ts';

/** Codes of the problems in Deepgram's interface. */
const CODES: Readonly<Record<string, string>> = {
  invalidParameters: 'INVALID_QUERY_PARAMETER',
  unauthorized: 'INVALID_AUTH',
  outOfCredit: 'ASR_PAYMENT_REQUIRED',
  payloadTooLarge: 'PAYLOAD_TOO_LARGE',
  tooManyRequests: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
};

/** Returns the answer to a request that has a problem, in Deepgram's shape. */
export function deepgramError({ problem, fields, headers }: ProblemError, requestId: string) {
  const { status, title } = PROBLEMS[problem];
  const faults = Object.entries(fields.parameters ?? {}).map(
    ([name, found]) => `${name}: ${found.join(', ')}`,
  );
  const text = fields.detail ?? (faults.join('; ') || title);
  return {
    status: problem === 'outOfCredit' ? 402 : status,
    headers: { ...headers, 'dg-request-id': requestId },
    json: { err_code: CODES[problem] ?? 'BAD_REQUEST', err_msg: text, request_id: requestId },
  };
}

/** Answers the faults of a scope with errors in Deepgram's shape. */
export function answerDeepgramErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfError(error);
    // A client that has gone is not a fault of the service.
    if (problem.problem === 'internal' && !reply.raw.destroyed) request.log.error(error);
    const { status, headers, json } = deepgramError(problem, request.id);
    // The framework closes the connection of an oversized request before the client has read the answer.
    return reply.headers(headers).removeHeader('connection').code(status).send(json);
  });
}

/** Returns the token of a client: from its `Authorization` or, of a browser, from the protocols that it offers. */
export function listenToken(headers: IncomingHttpHeaders): string | undefined {
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = headers;
  const [, given] = /^(?:token|bearer) +(\S+) *$/i.exec(authorization) ?? [];
  const [, offered] = /(?:^|,) *(?:token|bearer) *, *([^\s,]+)/i.exec(protocols) ?? [];
  return given ?? offered;
}
