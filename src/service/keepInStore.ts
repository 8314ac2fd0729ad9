import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createId } from '../base/ids.ts';
import { settledWithin } from '../base/wait/settledWithin.ts';
import { checkEmail } from './accounts/email.ts';
import { createStoredAccounts } from './accounts/storedAccounts.ts';
import { createStoredJobs, type StoredJobsOptions } from './jobs/storedJobs.ts';
import type { Keeping } from './keeping.ts';
import { type NotifyingOptions, notifyingBy } from './notifying.ts';
import { isAway, unreachableReason } from './store/databaseGone.ts';
import { watchDatabase } from './store/databaseWatch.ts';
import { openStore } from './store/store.ts';

/** For what is still to be written when a service stops: a store that is not there must not hold it. */
const CLOSE_TIMEOUT_MS = 10_000;

export interface KeepingOptions
  extends NotifyingOptions,
    Pick<StoredJobsOptions, 'tasks' | 'describe' | 'lanes'> {
  readonly dataDirectory?: string;
  readonly databaseUrl?: string;
  readonly token?: string;
  readonly email?: string;
  readonly logger: FastifyBaseLogger;
}

/**
 * Keeps everything in a store.
 *
 * @throws RxscribeError `store`, `invalid-argument`
 */
export function keepInStore({ logger, ...options }: KeepingOptions): Omit<Keeping, 'addRoutes'> {
  const { clock, token, email } = options;
  if (email !== undefined) checkEmail(email);
  const onUnreachable = (reason: string) =>
    logger.warn(`the database cannot be reached: ${reason}; trying again`);
  const onError = (error: unknown) => {
    if (options.databaseUrl !== undefined && isAway(error)) onUnreachable(unreachableReason(error));
    else logger.error({ err: error }, 'store');
  };
  const store = openStore({ ...options, onError, onUnreachable });
  const accounts = createStoredAccounts({ opened: store.opened, token, email, clock, onError });
  const jobs = createStoredJobs({
    ...options,
    opened: accounts.prepared,
    deliveries: notifyingBy(options),
    onError,
  });
  const watch = watchDatabase(store.opened, clock);
  return {
    accounts,
    jobs,
    missing: () => (watch.isAway ? ['database'] : []),
    administration: accounts.administration,
    openUpload: async () => join((await store.opened).objects.spoolDirectory, createId()),
    opened: accounts.prepared,
    initialToken: accounts.initialToken,
    async close() {
      store.giveUp();
      await settledWithin(
        CLOSE_TIMEOUT_MS,
        Promise.all([jobs.close(), accounts.close(), watch.close()]),
        clock,
      );
      await store.close();
    },
  };
}
