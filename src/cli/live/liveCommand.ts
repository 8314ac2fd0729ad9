import type { Context } from '../context.ts';
import type { RecoveryFlags } from '../flags/recoveryOptions.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { Interruption } from '../interruption.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { startEmbedded } from '../service/startEmbedded.ts';

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
  const starting = startEmbedded(context, { ...flags, keepsJobs: flags.fallback !== undefined, signal });
  starting.catch(() => {});
  return { interruption, starting };
}
