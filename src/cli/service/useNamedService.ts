import type { Context } from '../context.ts';
import { requireUrl, type ServiceFlags } from '../flags/serviceOptions.ts';
import type { ServiceUse } from './useService.ts';

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
