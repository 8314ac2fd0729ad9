import type { ErrorCode } from '../base/errors.ts';
import { type ServiceErrorClass, UnauthorizedError } from './serviceErrors.ts';

/** What becomes of an answer or a close code of a service. */
export interface ErrorRow {
  readonly error: ServiceErrorClass;
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retry?: boolean;
}

/** Over HTTP and on a stream alike. */
export const UNAUTHORIZED: ErrorRow = {
  error: UnauthorizedError,
  code: 'unauthorized',
  advice: 'Check the access token, or make a new one; accounts and tokens belong to one service and region.',
};
