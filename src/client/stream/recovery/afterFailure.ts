import { RxscribeError } from '../../../base/errors.ts';
import type { HoleCause } from '../../../transcript/model/events.ts';
import { BadRequestError, OutOfCreditError, UnauthorizedError } from '../../serviceErrors.ts';

/** Why a stream may leave a hole. */
export type StreamHoleCause = Exclude<HoleCause, 'gap'>;

/** Why there is no text after an error. */
export function holeCauseOf(error: unknown): StreamHoleCause {
  return error instanceof OutOfCreditError ? 'out-of-credit' : 'gave-up';
}

/** Whether jobs may get what a stream did not: not where they would be refused for the same reason as the very first connection. */
export function mayBeRepaired(error: unknown, wasConnected: boolean): boolean {
  const isRefused = error instanceof UnauthorizedError || error instanceof BadRequestError;
  return error instanceof RxscribeError && (wasConnected || !isRefused);
}
