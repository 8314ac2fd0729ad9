import type { Problem } from '../protocol/problems.ts';

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Path of its type below the address of all errors. Default: it has no type. */
  readonly type?: string;
}

/** Status, title and type of every problem: the only place that defines them. */
export const PROBLEMS = {
  invalidParameters: {
    status: 400,
    title: "Your request parameters didn't validate",
    type: 'invalid-parameters',
  },
  unauthorized: { status: 401, title: 'Authorization has been denied for this request.' },
  outOfCredit: { status: 403, title: 'Not enough credit', type: 'out-of-credit' },
  forbidden: { status: 403, title: 'Forbidden' },
  notFound: { status: 404, title: 'Not found', type: 'not-found' },
  jobNotFound: { status: 404, title: 'could not find job', type: 'job-not-found' },
  vocabularyNotFound: {
    status: 404,
    title: 'could not find custom vocabulary',
    type: 'custom-vocabulary-not-found',
  },
  unsupportedApi: {
    status: 404,
    title: 'This api is not supported in this deployment',
    type: 'unsupported-api',
  },
  methodNotAllowed: { status: 405, title: 'Method Not Allowed', type: 'method-not-allowed' },
  invalidJobProperties: {
    status: 405,
    title: 'Job contains unsupported properties',
    type: 'invalid-job-properties',
  },
  unsupportedTranscriptFormat: {
    status: 406,
    title: 'Transcript format is not supported',
    type: 'speechtotext/unsupported-transcript-format',
  },
  unsupportedOutputFormat: {
    status: 406,
    title: 'Output format is not supported',
    type: 'unsupported-output-format',
  },
  requestTimeout: { status: 408, title: 'Request timeout' },
  invalidJobState: { status: 409, title: 'Job is in invalid state', type: 'speechtotext/invalid-job-state' },
  preconditionFailed: { status: 412, title: 'Precondition Failed' },
  payloadTooLarge: { status: 413, title: 'Payload Too Large' },
  unsupportedMediaType: { status: 415, title: 'Unsupported Media Type' },
  rangeNotSatisfiable: { status: 416, title: 'Range Not Satisfiable' },
  expectationFailed: { status: 417, title: 'Expectation Failed' },
  upgradeRequired: { status: 426, title: 'Upgrade Required' },
  tooManyRequests: { status: 429, title: 'Too many requests' },
  headersTooLarge: { status: 431, title: 'Request Header Fields Too Large' },
  internal: { status: 500, title: 'Internal Server Error' },
  unavailable: { status: 503, title: 'Service Unavailable' },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;
/** The fields of a problem besides its status, title and type. */
export type ProblemFields = Omit<Problem, 'status' | 'title' | 'type'>;

/** An error that ends a request with a problem. */
export class ProblemError extends Error {
  readonly problem: ProblemCode;
  readonly fields: ProblemFields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    problem: ProblemCode,
    fields: ProblemFields = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(PROBLEMS[problem].title);
    this.problem = problem;
    this.fields = fields;
    this.headers = headers;
  }
}

/** Returns a 429 that asks the client to wait. */
export function tooManyRequests(waitMs: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ProblemError('tooManyRequests', {}, { 'retry-after': String(seconds) });
}

/** Returns a 400 with its faults by parameter, under both names that clients read. */
export function invalidParameters(faults: Readonly<Record<string, string[]>>): ProblemError {
  return new ProblemError('invalidParameters', { parameter: faults, parameters: faults });
}

/** Returns the body of a problem of a service with this base address. */
export function problemBody({ problem, fields }: ProblemError, baseUrl: string): Problem {
  const { status, title, type }: ProblemRow = PROBLEMS[problem];
  const typeUrl = type && `${baseUrl.replace(/\/+$/, '')}/errors/${type}`;
  return { title, status, type: typeUrl, ...fields };
}
