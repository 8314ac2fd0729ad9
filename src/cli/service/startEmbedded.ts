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

/** Returns what closes a service inside this process at the end of a block, also one that is still starting then. */
export function closingEmbedded(starting: Promise<EmbeddedService> | undefined): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => (await starting?.catch(() => undefined))?.[Symbol.asyncDispose](),
  };
}
