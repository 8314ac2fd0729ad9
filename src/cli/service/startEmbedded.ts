import { withAbort } from '../../base/wait/withTimeout.ts';
import type { Context } from '../context.ts';
import { progressLine } from '../print/progressLine.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from '../provided.ts';

/** Milliseconds after which a note says that the service is still starting. */
export const SLOW_START_MS = 5000;
export const SLOW_START_NOTE =
  'The service inside this process is still starting. On a busy machine this takes a while.';

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
    service = await context.provided.embeddedService(context, { ...options, signal, onStart });
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
