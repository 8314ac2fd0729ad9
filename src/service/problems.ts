import type { Problem } from '../protocol/problems.ts';
import problems from './problems.json' with { type: 'json' };

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Path of its type below the address of all errors. Default: it has no type. */
  readonly type?: string;
}

export type ProblemCode = keyof typeof problems;

/** Status, title and type of every problem. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemRow>> = problems;

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
  const { status, title, type } = PROBLEMS[problem];
  return { title, status, type: type && `${baseUrl.replace(/\/+$/, '')}/errors/${type}`, ...fields };
}
