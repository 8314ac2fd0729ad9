import { withAbort } from '../../base/wait/withTimeout.ts';
import type { Context } from '../context.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from '../local/embeddedService.ts';
import { progressLine } from '../print/progressLine.ts';

/** Milliseconds after which a note says that the service is still starting. */
export const SLOW_START_MS = 5000;
export const SLOW_START_NOTE =
  'The service inside this process is still starting. On a busy machine this takes a while.';

/** Resolves with a new service inside this process, whose recogniser may still be loading. */
export async function startEmbedded(
  context: Context,
  options: EmbeddedServiceOptions,
): Promise<EmbeddedService> {
  const { embeddedService } = await loadLocal('embeddedService');
  return embeddedService(context, options);
}

/**
 * Resolves with a new service inside this process when its parts are ready; a slow start is noted on stderr.
 *
 * @throws the reason why the recogniser cannot be loaded or the database cannot be opened; the signal's reason
 */
export async function readyService(
  context: Context,
  options: EmbeddedServiceOptions,
  signal: AbortSignal,
): Promise<EmbeddedService> {
  using progress = progressLine(context.stderr);
  let cancel = () => {};
  const onStart = () => {
    cancel = context.clock.schedule(SLOW_START_MS, () => progress.note(SLOW_START_NOTE));
  };
  let service: EmbeddedService | undefined;
  try {
    service = await startEmbedded(context, { ...options, signal, onStart });
    await withAbort(service.ready, signal);
    return service;
  } catch (error) {
    await service?.[Symbol.asyncDispose]();
    throw error;
  } finally {
    cancel();
  }
}

/** Returns a disposable that closes a service inside this process, even one that is still starting. */
export function closingEmbedded(starting: Promise<EmbeddedService> | undefined): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => (await starting?.catch(() => undefined))?.[Symbol.asyncDispose](),
  };
}
