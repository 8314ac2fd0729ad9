import { withAbort } from '../../base/wait/withTimeout.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from '../local/embeddedService.ts';

/**
 * A service inside this process that can recognise speech; nothing is left of one that cannot.
 *
 * @throws why the recogniser cannot be had; the signal's reason
 */
export async function readyService(
  options: EmbeddedServiceOptions,
  signal: AbortSignal,
): Promise<EmbeddedService> {
  const { embeddedService } = await loadLocal('embeddedService');
  const service = await embeddedService(options);
  try {
    await withAbort(service.ready, signal);
    return service;
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}
