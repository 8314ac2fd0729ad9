import { type Client, createClient } from '../jobs/createClient.ts';
import type { FallbackContext, Repairs } from '../stream/fallback.ts';
import type { RepairSettings } from './fallbackOptions.ts';
import type { HoleJobOptions } from './holeJob.ts';
import { createHoleRepairer } from './holeRepairer.ts';
import { createHoleRepairs } from './holeRepairs.ts';
import { jobsAddress } from './jobsAddress.ts';

/** Begins to repair a transcript by jobs of the services of a stream. */
export function startRepairs(context: FallbackContext, settings: RepairSettings): Repairs {
  const { clock, status } = context;
  const { marginSeconds, maxJobSeconds, retryForSeconds, receiver, onProgress, earlierJobs } = settings;
  const closing = new AbortController();
  const shared = {
    addresses: context.addresses.map(jobsAddress),
    clientOf: clientsOf(context, settings.brand),
    query: context.query,
    receiver,
    onProgress,
  };
  const repairer = createHoleRepairer({
    context,
    marginSeconds,
    maxJobSeconds,
    earlierJobs,
    jobs: (range): HoleJobOptions => ({
      ...shared,
      patience: {
        clock,
        signal: closing.signal,
        maxWaitMs: retryForSeconds * 1000,
        onWait: (error, delayMs) => status({ type: 'repair-delayed', ...range, delayMs, error }),
      },
    }),
  });
  return createHoleRepairs({ context, repairer, closing });
}

function clientsOf({ token, clock }: FallbackContext, brand: string): (address: string) => Client {
  const clients = new Map<string, Client>();
  return url => {
    const client = clients.get(url) ?? createClient({ url, token, brand, clock });
    clients.set(url, client);
    return client;
  };
}
