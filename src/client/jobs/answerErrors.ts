import { Value } from 'typebox/value';
import { oneLine } from '../../base/text.ts';
import { ProblemSchema } from '../../protocol/problems.ts';
import { fromWire } from '../../protocol/wireNames.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import {
  BadRequestError,
  type ErrorRow,
  OutOfCreditError,
  type Problem,
  ProtocolError,
  type ServiceError,
  ServiceFailedError,
  TooManyRequestsError,
  UNAUTHORIZED,
} from '../serviceErrors.ts';
import type { HttpAnswer } from './exchange.ts';
import {
  InvalidJobStateError,
  InvalidParametersError,
  NotAcceptableError,
  NotFoundError,
  PayloadTooLargeError,
  RequestTimeoutError,
  ServiceUnavailableError,
} from './requestErrors.ts';

const outOfCredit: ErrorRow = {
  error: OutOfCreditError,
  code: 'out-of-credit',
  advice: 'Add credit to the account.',
};
const badRequest: ErrorRow = {
  error: BadRequestError,
  code: 'bad-request',
  advice: 'Check the request against the problem that the service reports.',
};
const serviceFailed: ErrorRow = {
  error: ServiceFailedError,
  code: 'unavailable',
  advice: 'Try again. If it happens again, check the log of the service.',
  retry: true,
};
const unsupported: ErrorRow = {
  error: NotFoundError,
  code: 'not-found',
  advice: 'Use another service: this one does not offer it.',
};
/** The error for a redirect or an informational status. */
const unexpected: ErrorRow = {
  error: ProtocolError,
  code: 'protocol',
  advice: 'Check the address: the server there does not answer like a speech service.',
};

/** Errors by status; other statuses are handled by their class. */
const BY_STATUS: Readonly<Record<number, ErrorRow>> = {
  400: {
    error: InvalidParametersError,
    code: 'bad-request',
    advice: 'Correct the parameters that the service names.',
  },
  401: UNAUTHORIZED,
  402: outOfCredit,
  403: UNAUTHORIZED,
  404: {
    error: NotFoundError,
    code: 'not-found',
    advice: 'Check the id and the account. Deleted and expired jobs cannot be retrieved.',
  },
  406: { ...badRequest, error: NotAcceptableError },
  408: {
    error: RequestTimeoutError,
    code: 'timeout',
    advice: 'Check the network, then try again.',
    retry: true,
  },
  409: {
    error: InvalidJobStateError,
    code: 'invalid-state',
    advice: 'Wait until the job has ended, or check why it failed.',
  },
  413: {
    error: PayloadTooLargeError,
    code: 'bad-request',
    advice: 'Send less data, or submit the address of the media instead.',
  },
  429: {
    error: TooManyRequestsError,
    code: 'too-many-requests',
    advice: 'Wait, then send fewer requests at once.',
    retry: true,
  },
  503: {
    error: ServiceUnavailableError,
    code: 'unavailable',
    advice: 'Try again later.',
    retry: true,
  },
};

/**
 * Returns the typed error for an HTTP response without success.
 *
 * @param action a verb phrase, such as `get job a1`
 */
export function answerError(action: string, answer: HttpAnswer): ServiceError {
  const problem = problemOf(answer);
  const reason = problem ? reasonOf(problem) : '';
  const row = rowOf(answer.status, problem);
  const status = `the service answered with HTTP status ${answer.status}`;
  return new row.error(
    row.code,
    `Cannot ${action}: ${status}${reason && ` (${reason.replace(/\.$/, '')})`}.`,
    {
      httpStatus: answer.status,
      reason,
      advice: row.advice,
      retry: row.retry ?? false,
      problem,
      retryAfterSeconds: retryAfterOf(answer),
    },
  );
}

function rowOf(status: number, problem: Problem | undefined): ErrorRow {
  // Only a rejection for lack of credit states a balance.
  if (status === 403 && problem?.currentBalance !== undefined) return outOfCredit;
  if (status === 404 && problem?.type?.endsWith('/unsupported-api')) return unsupported;
  if (status >= 500) return BY_STATUS[status] ?? serviceFailed;
  if (status >= 400) return BY_STATUS[status] ?? badRequest;
  return unexpected;
}

/** Parses the problem details. A proxy in between may answer in another form. */
function problemOf({ text, status }: HttpAnswer): Problem | undefined {
  const json = { status, ...(jsonOf(text) as object | undefined) };
  return Value.Check(ProblemSchema, json) ? fromWire(ProblemSchema, json) : undefined;
}

const MAX_REASON_LENGTH = 1000;

/** Returns the problem as one line that is safe to print. */
function reasonOf({ title, detail, parameters, parameter }: Problem): string {
  const faults = Object.entries(parameters ?? parameter ?? {}).map(
    ([name, messages]) => `${name}: ${messages.join(', ')}`,
  );
  const parts = [title, detail, ...faults].filter(part => part !== undefined);
  return oneLine(parts.join('; ')).slice(0, MAX_REASON_LENGTH);
}

/** Returns the seconds of a Retry-After header (RFC 9110, section 10.2.3); dates are ignored. */
function retryAfterOf({ headers }: HttpAnswer): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
