import { RxscribeError } from '../../base/errors.ts';
import type { JobFailure } from '../../protocol/jobs.ts';
import { JobFailedError } from '../jobs/task.ts';
import { inSpan } from '../telemetry/tracing.ts';
import type { TaskOptions } from './taskOptions.ts';

/** The terms for an engine in messages to users. */
export interface EngineRole {
  /** For example "recogniser". */
  readonly role: string;
  /** The failure of a job when the engine fails. */
  readonly failure: JobFailure;
}

/** Returns an optional engine. @throws JobFailedError `internal_processing` when there is none */
export function requireEngine<T>(engine: T | undefined, role: string): T {
  if (engine) return engine;
  throw new JobFailedError('internal_processing', `No ${role} is installed.`);
}

/**
 * Calls an engine for a job. When it fails or is missing, users get a short message and operators the full error.
 *
 * @throws JobFailedError; other errors of `call`, for example that no session is free
 */
export async function callEngine<T>(
  { role, failure }: EngineRole,
  call: () => Promise<T>,
  { onError }: Pick<TaskOptions, 'onError'>,
): Promise<T> {
  try {
    return await inSpan(`engine: ${role}`, {}, call);
  } catch (cause) {
    if (!isEngineFault(cause)) throw cause;
    onError(cause);
    if (cause.code === 'engine-missing') requireEngine(undefined, role);
    throw new JobFailedError(failure, `The ${role} failed.`, { cause });
  }
}

/** Returns whether an engine failed or is not installed. */
export function isEngineFault(error: unknown): error is RxscribeError {
  return (
    error instanceof RxscribeError && (error.code === 'engine-failed' || error.code === 'engine-missing')
  );
}

/** @throws JobFailedError `transcription` unless the engine supports the language */
export function requireLanguage(
  { role }: Pick<EngineRole, 'role'>,
  languages: readonly string[],
  language: string,
): void {
  if (languages.includes(language)) return;
  throw new JobFailedError(
    'transcription',
    `The ${role} does not support language '${language}' (supported: ${languages.join(', ')}).`,
  );
}
