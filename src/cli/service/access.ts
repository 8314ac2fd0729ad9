import type { Context } from '../context.ts';
import { requireUrl, type ServiceFlags } from '../flags/serviceOptions.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from '../local/embeddedService.ts';
import type { ServiceUse } from './useService.ts';

/** Resolves with a new service inside this process, whose recogniser may still be loading. */
export async function startEmbedded(
  context: Context,
  options: EmbeddedServiceOptions,
): Promise<EmbeddedService> {
  const { embeddedService } = await loadLocal('embeddedService');
  return embeddedService(context, options);
}

/**
 * Runs work with the service at `--url`, as `useService` does.
 *
 * @throws InvalidArgumentError without an address or a token
 */
export async function useNamedService(
  context: Context,
  flags: ServiceFlags,
  work: (use: ServiceUse) => Promise<void>,
): Promise<void> {
  requireUrl(flags);
  const { useService } = await import('./useService.ts');
  await useService(context, flags, work);
}
