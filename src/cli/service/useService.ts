import type { Client } from '../../client/jobs/createClient.ts';
import type { Context } from '../context.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { ProgressLine } from '../print/progressLine.ts';

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
 * Runs work with the service that the flags name, else with an embedded one, which is stopped at the end. What it needs is
 * loaded with the first call.
 *
 * An interruption aborts the work and sets the exit code; jobs of another service go on there.
 */
export async function useService(
  context: Context,
  flags: ServiceFlags,
  work: (use: ServiceUse) => Promise<void>,
  { recognizes = true }: UseServiceOptions = {},
): Promise<void> {
  const [{ createClient }, { takeInterruptions, unlessAborted }, { progressLine }, { readyService }] =
    await Promise.all([
      import('../../client/jobs/createClient.ts'),
      import('../interruption.ts'),
      import('../print/progressLine.ts'),
      import('./startEmbedded.ts'),
    ]);
  const { url, token = '', brand } = flags;
  using interruption = takeInterruptions(context);
  const { signal } = interruption;
  using progress = progressLine(context.stderr);
  if (!url) progress.show('starting a service');
  const embeddedOptions = { ...flags, recognizes, keepsJobs: true };
  await using embedded = url
    ? undefined
    : await readyService(context, embeddedOptions, signal).catch(unlessAborted(signal));
  const access = url ? { url, token } : embedded;
  if (!access) return;
  const client = createClient({ url: access.url, token: access.token, brand, signal });
  const print = (text: string) => {
    progress.hide();
    context.stdout.write(text);
  };
  const isEmbedded = embedded !== undefined;
  const use = { url: access.url, token: access.token, client, signal, progress, print, isEmbedded };
  await work(use).catch(unlessAborted(signal));
}
