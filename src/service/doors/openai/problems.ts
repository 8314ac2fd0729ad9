import type { FastifyInstance, FastifyReply } from 'fastify';
import { problemOfError } from '../../http/httpApp.ts';
import { PROBLEMS, ProblemError } from '../../problems.ts';

/** An error in OpenAI's shape. */
interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** Status and code of the problems for which OpenAI's interface has its own. */
const OPENAI_CODES: Readonly<Record<string, { readonly status?: number; readonly code: string }>> = {
  unauthorized: { code: 'invalid_api_key' },
  outOfCredit: { status: 429, code: 'insufficient_quota' },
  tooManyRequests: { code: 'rate_limit_exceeded' },
};

/** Answers the faults of a scope with errors in OpenAI's shape. */
export function answerOpenAiErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfError(error);
    // A client that has left is not a fault of the service.
    if (problem.problem === 'internal' && !reply.raw.destroyed) request.log.error(error);
    return answerProblem(reply, problem);
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const detail = `There is no ${method} ${url.split('?')[0]}.`;
    return answerProblem(reply, new ProblemError('notFound', { detail }));
  });
}

/** Answers with an error. The client of OpenAI repeats requests that may succeed later, unless a header forbids it. */
function answerProblem(reply: FastifyReply, problem: ProblemError): FastifyReply {
  const { status, code } = kindOf(problem);
  const isFinal = code === 'insufficient_quota' || problem.problem === 'internal';
  reply.headers({ ...problem.headers, ...(isFinal && { 'x-should-retry': 'false' }) });
  // The framework closes the connection of an oversized request before the client has read the answer.
  reply.removeHeader('connection');
  return reply.code(status).send(errorBody(problem));
}

const kindOf = ({ problem }: ProblemError) => ({
  status: PROBLEMS[problem].status,
  code: null,
  ...OPENAI_CODES[problem],
});

/** Returns the body of an error. */
export function errorBody(problem: ProblemError): { readonly error: OpenAiError } {
  const { status, code } = kindOf(problem);
  const { detail, parameters = {} } = problem.fields;
  const faults = Object.entries(parameters);
  const messages = faults.map(([name, found]) => `'${name}' ${found.join(', ')}.`);
  const error = {
    message: detail ?? (messages.join(' ') || `${problem.message.replace(/\.$/, '')}.`),
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    param: faults[0]?.[0] ?? null,
    code,
  };
  return { error };
}
