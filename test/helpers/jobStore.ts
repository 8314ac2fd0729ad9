import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createStoredAccounts } from '../../src/service/accounts/storedAccounts.ts';
import type { DeliveriesOptions } from '../../src/service/jobs/deliveries.ts';
import { createStoredJobs, type StoredJobsOptions } from '../../src/service/jobs/storedJobs.ts';
import { openStore, type StoreOptions } from '../../src/service/store/store.ts';

/** Location of a store. */
export type StorePlace = Pick<StoreOptions, 'dataDirectory' | 'databaseUrl' | 'objects'>;

export interface JobStoreOptions
  extends Partial<
      Pick<
        StoredJobsOptions,
        'tasks' | 'describe' | 'lanes' | 'onError' | 'log' | 'instruments' | 'worksOnQueue'
      >
    >,
    Partial<DeliveriesOptions> {
  readonly clock?: Clock;
  /** Concurrency of the only lane, unless `lanes` names others. Default 1. */
  readonly concurrency?: number;
  readonly token?: string;
}

/** Opens the store, accounts and jobs of one service; background errors are thrown when it closes. */
export function openJobStore(place: StorePlace, options: JobStoreOptions = {}) {
  const errors: unknown[] = [];
  const { clock = systemClock, token, onError = (error: unknown) => void errors.push(error) } = options;
  const store = openStore({ ...place, clock, onError });
  const accounts = createStoredAccounts({ opened: store.opened, token, clock, onError });
  const jobs = createStoredJobs({
    tasks: {},
    describe: record => ({ job: record.id }),
    lanes: [{ name: 'jobs', types: [], concurrency: options.concurrency ?? 1 }],
    ...options,
    opened: accounts.prepared,
    deliveries: {
      deliver: async () => ({ outcome: 'retry' }),
      retryDelaySeconds: () => 3600,
      windowMs: 24 * 3_600_000,
      ...options,
    },
    clock,
    onError,
  });
  const close = async () => {
    await jobs.close();
    await accounts.close();
    await store.close();
    if (errors.length > 0) throw new AggregateError(errors.splice(0), 'Work in the background failed.');
  };
  return { store, accounts, jobs, close, [Symbol.asyncDispose]: close };
}
