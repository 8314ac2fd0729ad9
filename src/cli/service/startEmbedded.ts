import type { Context } from '../context.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService, EmbeddedServiceOptions } from '../local/embeddedService.ts';

/** Resolves with a new service inside this process, whose recogniser may still be loading. */
export async function startEmbedded(
  context: Context,
  options: EmbeddedServiceOptions,
): Promise<EmbeddedService> {
  const { embeddedService } = await loadLocal('embeddedService');
  return embeddedService(context, options);
}
