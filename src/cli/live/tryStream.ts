import { filter, firstValueFrom, fromEvent, ignoreElements, merge, NEVER, takeUntil } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { ServiceError } from '../../client/serviceErrors.ts';
import { transcribe } from '../../client/stream/transcribe.ts';
import { pickStreamOptions } from '../../protocol/streamQuery.ts';
import type { CaptionRun } from './captionRuns.ts';
import type { ServiceAccess } from './sessionOptions.ts';

/** Milliseconds for a recogniser of another service. */
const READY_MS = 20_000;

/**
 * Opens a stream as a source would, without audio. Resolves when a recogniser is ready.
 *
 * @param use the signal ends the stream
 * @throws ServiceError for a service that refuses the stream; EmptyError when the signal is aborted before
 */
export async function tryStream(
  run: CaptionRun,
  { url, token }: ServiceAccess,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const live = transcribe({
    ...pickStreamOptions(run),
    url,
    token,
    sampleRate: run.rate,
    channels: run.channelsApart ? 1 : run.channels,
    resume: false,
    readyTimeoutMs: READY_MS,
    clock,
  });
  const connected$ = live.status$.pipe(filter(({ type }) => type === 'connected'));
  const stream$ = merge(connected$, NEVER.pipe(live, ignoreElements()));
  await firstValueFrom(stream$.pipe(takeUntil(fromEvent(signal, 'abort'))));
}

/** Milliseconds for a service to refuse a language, within the time that an operator's page waits for a command. */
const LANGUAGE_MS = 3000;

/**
 * Asks the service of a source for its language. Resolves also when the service cannot be asked now.
 *
 * @param embedded service of a source that names none
 * @throws InvalidArgumentError when the service refuses the language
 */
export async function tryLanguage(
  run: CaptionRun,
  embedded: ServiceAccess | undefined,
  clock: Clock,
): Promise<void> {
  const access = run.url ? { url: run.url, token: run.token ?? '' } : embedded;
  try {
    if (access) await tryStream(run, access, { clock, signal: AbortSignal.timeout(LANGUAGE_MS) });
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'bad-request') return;
    throw new InvalidArgumentError(`The service refuses '${run.language}': ${cause.reason}.`, { cause });
  }
}
