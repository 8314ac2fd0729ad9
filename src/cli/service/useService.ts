import { withAbort } from '../../base/wait/withTimeout.ts';
import { type Client, createClient } from '../../client/jobs/createClient.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions } from '../interruption.ts';
import { loadLocal } from '../loadLocal.ts';
import type { EmbeddedService } from '../local/embeddedService.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';

/** What a command has to work with. */
export interface ServiceUse {
  readonly client: Client;
  /** Of the service. */
  readonly url: string;
  readonly token: string;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
  /** Writes a result to stdout. */
  print(text: string): void;
  /** The service is one of our own, and gone with the command. */
  readonly isEmbedded: boolean;
}

/**
 * Lets a command use the service that its flags name, else one of its own, which is stopped at the end. When it is
 * interrupted, the work is aborted and the exit code says so; what was begun at another service goes on there.
 *
 * Work that does not recognise speech does not wait for a recogniser.
 */
export async function useService(
  flags: ServiceFlags,
  work: (use: ServiceUse) => Promise<void>,
  { recognizes = true }: { readonly recognizes?: boolean } = {},
): Promise<void> {
  const { url, token, brand } = flags;
  using interruption = takeInterruptions();
  const { signal } = interruption;
  using progress = progressLine(process.stderr);
  await using service = url ? undefined : await startService(flags, recognizes, progress);
  const access = { url: service?.url ?? url!, token: service?.token ?? token! };
  const client = createClient({ ...access, brand, signal });
  const print = (text: string) => {
    progress.hide();
    process.stdout.write(text);
  };
  try {
    // Whatever it lacks, it says better now than by the failure of a job.
    if (service && recognizes) await withAbort(service.ready, signal);
    await work({ ...access, client, signal, progress, print, isEmbedded: service !== undefined });
  } catch (error) {
    // The exit code is set; there is nothing to explain.
    if (!signal.aborted) throw error;
  }
}

async function startService(
  flags: ServiceFlags,
  recognizes: boolean,
  progress: ProgressLine,
): Promise<EmbeddedService> {
  progress.show('starting a service');
  const { embeddedService } = await loadLocal('embeddedService');
  return embeddedService({ ...flags, recognizes, keepsJobs: true });
}
