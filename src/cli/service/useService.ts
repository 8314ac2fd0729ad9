import { printable } from '../../base/text.ts';
import type { Client } from '../../client/jobs/createClient.ts';
import type { Context } from '../context.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';
import type { Work } from '../interruptible.ts';

/** A service in use by a command. */
export interface ServiceUse extends Work {
  readonly client: Client;
  readonly url: string;
  readonly token: string;
  /** Writes a result to stdout. */
  print(text: string): void;
  /** True for a service inside this process, which ends with the command. */
  readonly isEmbedded: boolean;
}

/**
 * Runs work with the service that the flags name, else with an embedded one, which is stopped at the end. The parts of an
 * embedded service are loaded with the first call.
 *
 * An interruption aborts the work and sets the exit code; jobs of another service go on there.
 *
 * @param options `recognizes` is false for work that needs no recogniser
 */
export async function useService(
  context: Context,
  flags: ServiceFlags,
  work: (use: ServiceUse) => Promise<void>,
  { recognizes = true }: { readonly recognizes?: boolean } = {},
): Promise<void> {
  const [{ createClient }, { interruptible }, { readyService }] = await Promise.all([
    import('../../client/jobs/createClient.ts'),
    import('../interruptible.ts'),
    import('./startEmbedded.ts'),
  ]);
  await interruptible(context, async ({ signal, progress }) => {
    const { url, token = '', brand } = flags;
    if (!url) progress.show('starting a service');
    await using embedded = url
      ? undefined
      : await readyService(context, { ...flags, recognizes, keepsJobs: true }, signal);
    const access = { url: embedded?.url ?? url ?? '', token: embedded?.token ?? token };
    const client = createClient({ ...access, brand, signal });
    const print = (text: string) => {
      progress.hide();
      // A file gets the text as it is.
      context.stdout.write(context.stdout.isTTY ? printable(text) : text);
    };
    await work({ ...access, client, signal, progress, print, isEmbedded: embedded !== undefined });
  });
}
