import type { Clock } from '../../base/clock.ts';
import type { OpenJobs } from './openJobs.ts';

/** Milliseconds after which a lapsed lease that did not change counts as abandoned: three intervals between renewals. */
export const ABANDONED_MS = 90_000;
/** Intervals between two observations after which the earlier ones are void: a round has failed, or took long. */
const MAX_GAP_INTERVALS = 1.5;

/** The lease of a job that a process runs outside the queue. */
export interface Lease {
  readonly id: string;
  readonly leaseUntil: Date;
}

/**
 * Creates an observer of leases: a function that notes the leases which have lapsed by the clock of this machine, and returns
 * those that have not changed in {@link ABANDONED_MS}.
 *
 * The clocks of machines may differ, so a lapsed lease alone proves nothing; the process that holds it renews it at every
 * interval. No lease can be renewed while the database is unreachable, so only consecutive observations count.
 *
 * @param intervalMs milliseconds between two observations, and between two renewals
 */
export function createLeaseWatch(
  clock: Clock,
  intervalMs: number,
): (lapsed: readonly Lease[]) => readonly Lease[] {
  /** Times of the first observation by the lease. */
  let seen = new Map<string, number>();
  let observedMs = Number.NEGATIVE_INFINITY;
  const keyOf = ({ id, leaseUntil }: Lease) => `${id} ${leaseUntil.getTime()}`;
  return lapsed => {
    const nowMs = clock.now();
    const earlier = nowMs - observedMs > MAX_GAP_INTERVALS * intervalMs ? new Map<string, number>() : seen;
    observedMs = nowMs;
    seen = new Map(lapsed.map(keyOf).map(key => [key, earlier.get(key) ?? nowMs]));
    return lapsed.filter(lease => nowMs - (seen.get(keyOf(lease)) ?? nowMs) >= ABANDONED_MS);
  };
}

type Open = Pick<OpenJobs, 'store' | 'end'>;

/**
 * Fails the jobs that an earlier process ran outside the queue, before this process starts any. For a store that no other
 * process uses.
 */
export async function failLeftJobs({ store, end }: Open, at: Date): Promise<void> {
  for (const { id } of await selectLeases(store).execute()) await end(id, FAILURE, { at });
}

export interface OrphanSweepOptions {
  /** Ids of the jobs that this process runs outside the queue. */
  readonly running: ReadonlySet<string>;
  readonly clock: Clock;
  readonly intervalMs: number;
}

/**
 * Creates a round of maintenance that fails the jobs of processes that ran them outside the queue and have gone. Every process
 * runs it; if several end the same job, only one succeeds.
 */
export function createOrphanSweep({
  running,
  clock,
  intervalMs,
}: OrphanSweepOptions): (open: Open) => Promise<void> {
  const watch = createLeaseWatch(clock, intervalMs);
  return async ({ store, end }) => {
    // An exclusive store has no other processes.
    if (store.exclusive) return;
    const now = () => new Date(clock.wallTime());
    const lapsed = await selectLeases(store).where('leaseUntil', '<', now()).execute();
    const abandoned = watch(lapsed.filter(({ id }) => !running.has(id)));
    // The lease may have been renewed before this job is failed.
    for (const { id, leaseUntil } of abandoned) await end(id, FAILURE, { at: now(), leaseUntil });
  };
}

const FAILURE = {
  status: 'failed',
  failure: 'internal_processing',
  failureDetail: 'The service stopped while the job was in progress.',
} as const;

function selectLeases({ db }: Open['store']) {
  return (
    db
      .selectFrom('jobs')
      .select(['id', 'leaseUntil'])
      .where('status', '=', 'in_progress')
      // Queued jobs have no lease, and waiting ones may have that of a person.
      .where('leaseUntil', 'is not', null)
      .where('stage', 'is', null)
      .$narrowType<{ leaseUntil: Date }>()
  );
}
