import type { FastifyInstance } from 'fastify';
import { problemOfError } from '../../http/httpApp.ts';
import { PROBLEMS, type ProblemError } from '../../problems.ts';

/** Status and code of the problems that have others in Deepgram's interface. */
const OTHERS: Readonly<Record<string, { readonly status?: number; readonly code: string }>> = {
  invalidParameters: { code: 'INVALID_QUERY_PARAMETER' },
  unauthorized: { code: 'INVALID_AUTH' },
  outOfCredit: { status: 402, code: 'ASR_PAYMENT_REQUIRED' },
  payloadTooLarge: { code: 'PAYLOAD_TOO_LARGE' },
  tooManyRequests: { code: 'TOO_MANY_REQUESTS' },
  unavailable: { code: 'SERVICE_UNAVAILABLE' },
  internal: { code: 'INTERNAL_SERVER_ERROR' },
};

/** An answer with an error in Deepgram's shape. */
export interface DeepgramError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: { readonly err_code: string; readonly err_msg: string; readonly request_id: string };
}

/** Returns the answer to a request that has a problem. */
export function deepgramError({ problem, ...error }: ProblemError, requestId: string): DeepgramError {
  const { status, code } = { status: PROBLEMS[problem].status, code: 'BAD_REQUEST', ...OTHERS[problem] };
  const { detail, parameters = {} } = error.fields;
  const faults = Object.entries(parameters).map(([name, found]) => `${name}: ${found.join(', ')}`);
  const text = detail ?? (faults.join('; ') || PROBLEMS[problem].title);
  return {
    status,
    headers: { ...error.headers, 'dg-request-id': requestId },
    json: { err_code: code, err_msg: text, request_id: requestId },
  };
}

/** Answers the faults of a scope with errors in Deepgram's shape. */
export function answerDeepgramErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfError(error);
    if (problem.problem === 'internal') request.log.error(error);
    const { status, headers, json } = deepgramError(problem, request.id);
    // The framework closes the connection of an oversized request before the client has read the answer.
    return reply.headers(headers).removeHeader('connection').code(status).send(json);
  });
}
