import { RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { JobFailedError } from '../jobs/task.ts';
import type { TaskOptions } from './taskOptions.ts';

/** An engine, as users are told of it. */
export interface EngineRole {
  /** Such as "recogniser". */
  readonly role: string;
  /** How a job fails by it. */
  readonly failure: JobFailure;
}

/** An engine that a service need not have. @throws JobFailedError `internal_processing` when it has none */
export function requireEngine<T>(engine: T | undefined, role: string): T {
  if (engine) return engine;
  throw new JobFailedError('internal_processing', `No ${role} is installed`);
}

/**
 * Has an engine do something for a job. That it failed, or is not installed, is told to the user in short and to the
 * operator in full.
 *
 * @throws JobFailedError; what else `call` throws, such as that no session is free
 */
export async function callEngine<T>(
  { role, failure }: EngineRole,
  call: () => Promise<T>,
  { onError }: Pick<TaskOptions, 'onError'>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!isEngineFault(cause)) throw cause;
    onError(cause);
    if (cause.code === 'engine-missing') requireEngine(undefined, role);
    throw new JobFailedError(failure, `The ${role} failed`, { cause });
  }
}

/** Whether an engine failed or is not installed; what else it throws is not its fault. */
export function isEngineFault(error: unknown): error is RxscribeError {
  return (
    error instanceof RxscribeError && (error.code === 'engine-failed' || error.code === 'engine-missing')
  );
}

/** @throws JobFailedError `transcription` unless the engine knows the language */
export function requireLanguage(
  { role }: Pick<EngineRole, 'role'>,
  languages: readonly string[],
  language: string,
): void {
  if (languages.includes(language)) return;
  throw new JobFailedError(
    'transcription',
    `The ${role} knows ${languages.join(', ')}, but not the language ${language}`,
  );
}
