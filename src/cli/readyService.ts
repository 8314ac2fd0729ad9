import { untilAborted } from '../base/untilAborted.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from './embeddedService.ts';

/**
 * A service inside this process that can recognise speech; nothing is left of one that cannot.
 *
 * @throws why the recogniser cannot be had; the signal's reason
 */
export async function readyService(
  options: EmbeddedServiceOptions,
  signal: AbortSignal,
): Promise<EmbeddedService> {
  const { embeddedService } = await import('./embeddedService.ts');
  const service = await embeddedService(options);
  try {
    await untilAborted(service.ready, signal);
    return service;
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}
