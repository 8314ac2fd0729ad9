import { messageOf, RxscribeError } from '../../base/errors.ts';
import type { WorkFailure } from './workProcess.ts';

/**
 * In a process that `startWorkProcess` started: obeys its messages until the process that started it is gone, or as soon
 * after that as the native call in progress returns. What `obey` throws ends it.
 */
export function serveWork<In>(obey: (message: In) => void | Promise<void>): void {
  process.on('message', async (message: In) => {
    try {
      await obey(message);
    } catch (error) {
      failWork(error);
    }
  });
  process.on('disconnect', () => process.exit(0));
  // The service decides when work ends: a signal meant for all its processes must not lose the last words.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

/** Says a message to the process that started this one. */
export function sayWork<Out extends object>(message: Out): void {
  process.send?.(message);
}

/** Says why this process cannot go on, and ends it. */
export function failWork(error: unknown): void {
  const failure = { type: 'failed', ...faultOf(error) } satisfies WorkFailure;
  process.send?.(failure, () => process.exit(1));
}

/** An error, as a process tells it. */
export function faultOf(error: unknown): Pick<WorkFailure, 'code' | 'message'> {
  const isMissing = error instanceof RxscribeError && error.code === 'engine-missing';
  return { code: isMissing ? 'engine-missing' : 'engine-failed', message: messageOf(error) };
}
