import { Value } from 'typebox/value';
import { oneLine } from '../../base/text.ts';
import { ProblemSchema } from '../../protocol/problems.ts';
import { fromWire } from '../../protocol/wireNames.ts';
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
  advice: 'Check what was asked for against what the service says.',
};
const serviceFailed: ErrorRow = {
  error: ServiceFailedError,
  code: 'unavailable',
  advice: "Try again; if it happens again, look into the service's log.",
  retry: true,
};
/** A redirect, or an answer that ends nothing. */
const unexpected: ErrorRow = {
  error: ProtocolError,
  code: 'protocol',
  advice: 'Check the address: something answers there, but not as a service does.',
};

/** One row a status; what is not here goes by its class of statuses. */
const BY_STATUS: Readonly<Record<number, ErrorRow>> = {
  400: {
    error: InvalidParametersError,
    code: 'bad-request',
    advice: 'Change the parameters that the service names.',
  },
  401: UNAUTHORIZED,
  402: outOfCredit,
  403: UNAUTHORIZED,
  404: {
    error: NotFoundError,
    code: 'not-found',
    advice: 'Check the id and the account; what was deleted, or kept long enough, is gone.',
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
    advice: 'Wait until the job has ended, or look why it failed.',
  },
  413: {
    error: PayloadTooLargeError,
    code: 'bad-request',
    advice: 'Send less, or have the service fetch the media from an address.',
  },
  429: {
    error: TooManyRequestsError,
    code: 'too-many-requests',
    advice: 'Wait, then try again more slowly.',
    retry: true,
  },
  503: {
    error: ServiceUnavailableError,
    code: 'unavailable',
    advice: 'Try again later.',
    retry: true,
  },
};

/** The typed error of an answer that grants nothing. */
export function answerError(action: string, answer: HttpAnswer): ServiceError {
  const problem = problemOf(answer);
  const reason = problem ? reasonOf(problem) : '';
  const row = rowOf(answer.status, problem);
  const found = `HTTP status ${answer.status}${reason && ` (${reason})`}`;
  const retryAfterSeconds = retryAfterOf(answer);
  return new row.error(row.code, `${action}: wanted success, found ${found}`, {
    httpStatus: answer.status,
    reason,
    advice: row.advice,
    retry: row.retry ?? false,
    ...(problem && { problem }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function rowOf(status: number, problem: Problem | undefined): ErrorRow {
  // Of refusals, only the one for want of credit names a balance.
  if (status === 403 && problem?.currentBalance !== undefined) return outOfCredit;
  if (status >= 500) return BY_STATUS[status] ?? serviceFailed;
  if (status >= 400) return BY_STATUS[status] ?? badRequest;
  return unexpected;
}

/** Something between the service and us may answer in another form. */
function problemOf({ text, status }: HttpAnswer): Problem | undefined {
  try {
    const json = { status, ...JSON.parse(text) };
    return Value.Check(ProblemSchema, json) ? fromWire(ProblemSchema, json) : undefined;
  } catch {
    return undefined;
  }
}

const MAX_REASON_LENGTH = 1000;

/** What the service says, as it can be shown. */
function reasonOf({ title, detail, parameters, parameter }: Problem): string {
  const faults = Object.entries(parameters ?? parameter ?? {}).map(
    ([name, messages]) => `${name}: ${messages.join(', ')}`,
  );
  const parts = [title, ...(detail === undefined ? [] : [detail]), ...faults];
  return oneLine(parts.join('; ')).slice(0, MAX_REASON_LENGTH);
}

/** RFC 9110, section 10.2.3, in seconds; a date is passed over. */
function retryAfterOf({ headers }: HttpAnswer): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
