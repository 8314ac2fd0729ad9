import type { Context } from '../context.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { Interruption } from '../interruption.ts';
import type { EmbeddedService } from '../provided.ts';

/** A command that streams, from its start. */
export interface LiveCommand {
  readonly interruption: Interruption;
  /** Service to use where the flags name none. */
  readonly starting?: Promise<EmbeddedService>;
}

/**
 * Takes interruptions, the first of which ends the input and the second one the wait for its last final, and starts an
 * embedded service where the flags name none: before the rest is loaded, since its recogniser takes longest.
 */
export async function startLive(
  context: Context,
  flags: ServiceFlags & Pick<RecoveryFlags, 'fallback'>,
): Promise<LiveCommand> {
  const { takeInterruptions } = await import('../interruption.ts');
  const interruption = takeInterruptions(context, { steps: 2 });
  if (flags.url) return { interruption };
  const { signal } = interruption;
  const keepsJobs = flags.fallback !== undefined;
  const starting = context.provided.embeddedService(context, { ...flags, keepsJobs, signal });
  starting.catch(() => {});
  return { interruption, starting };
}
