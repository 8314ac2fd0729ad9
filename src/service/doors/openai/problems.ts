import type { FastifyInstance, FastifyReply } from 'fastify';
import { problemOfError } from '../../http/httpApp.ts';
import { PROBLEMS, type ProblemError } from '../../problems.ts';

/** An error in OpenAI's shape. */
interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** Status and code of the problems that have others in OpenAI's interface. */
const OTHERS: Readonly<Record<string, { readonly status?: number; readonly code: string }>> = {
  unauthorized: { code: 'invalid_api_key' },
  outOfCredit: { status: 429, code: 'insufficient_quota' },
  tooManyRequests: { code: 'rate_limit_exceeded' },
};

/** Answers the faults of a scope with errors in OpenAI's shape. */
export function answerOpenAiErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfError(error);
    if (problem.problem === 'internal') request.log.error(error);
    return answerProblem(reply, problem);
  });
}

/** Answers with an error. The client of OpenAI repeats what may succeed later, but not what a header forbids. */
export function answerProblem(reply: FastifyReply, problem: ProblemError): FastifyReply {
  const { status, code = null } = { status: PROBLEMS[problem.problem].status, ...OTHERS[problem.problem] };
  if (code === 'insufficient_quota') reply.header('x-should-retry', 'false');
  reply.headers(problem.headers);
  // The framework closes the connection of an oversized request before the client has read the answer.
  reply.removeHeader('connection');
  return reply.code(status).send({ error: errorOf(problem, status, code) });
}

function errorOf({ fields, problem }: ProblemError, status: number, code: string | null): OpenAiError {
  const faults = Object.entries(fields.parameters ?? {});
  const messages = faults.map(([name, found]) => `'${name}' ${found.join(', ')}.`);
  return {
    message: fields.detail ?? (messages.join(' ') || `${PROBLEMS[problem].title}.`),
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    param: faults[0]?.[0] ?? null,
    code,
  };
}
