import { type Client, createClient } from '../../client/jobs/createClient.ts';
import type { Context } from '../context.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import { takeInterruptions, unlessAborted } from '../interruption.ts';
import { type ProgressLine, progressLine } from '../print/progressLine.ts';
import { readyService } from './startEmbedded.ts';

/** A service in use by a command. */
export interface ServiceUse {
  readonly client: Client;
  readonly url: string;
  readonly token: string;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
  /** Writes a result to stdout. */
  print(text: string): void;
  /** True for a service inside this process, which ends with the command. */
  readonly isEmbedded: boolean;
}

export interface UseServiceOptions {
  /** The work recognises speech, and so waits for a recogniser. Default true. */
  readonly recognizes?: boolean;
}

/**
 * Runs work with the service that the flags name, else with an embedded one, which is stopped at the end.
 *
 * An interruption aborts the work and sets the exit code; jobs of another service go on there.
 */
export async function useService(
  context: Context,
  flags: ServiceFlags,
  work: (use: ServiceUse) => Promise<void>,
  { recognizes = true }: UseServiceOptions = {},
): Promise<void> {
  const { url, token, brand } = flags;
  using interruption = takeInterruptions(context);
  const { signal } = interruption;
  using progress = progressLine(context.stderr);
  if (!url) progress.show('starting a service');
  const embeddedOptions = { ...flags, recognizes, keepsJobs: true };
  await using service = url
    ? undefined
    : await readyService(context, embeddedOptions, signal).catch(unlessAborted(signal));
  if (!url && !service) return;
  const access = { url: service?.url ?? url!, token: service?.token ?? token! };
  const client = createClient({ ...access, brand, signal });
  const print = (text: string) => {
    progress.hide();
    context.stdout.write(text);
  };
  try {
    await work({ ...access, client, signal, progress, print, isEmbedded: service !== undefined });
  } catch (error) {
    // An interrupted command has its exit code, and nothing to explain.
    if (!signal.aborted) throw error;
  }
}
