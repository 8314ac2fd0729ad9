import type { Job, PgBoss } from 'pg-boss';
import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { every } from '../../base/wait/every.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { createWakeSignal } from '../lifecycle/wakeSignal.ts';
import type { Origin } from '../telemetry/tracing.ts';

/** A claimed entry of a queue. */
export interface Entry {
  /** Id of the row. */
  readonly id: string;
  /** Number of claims, this one included. */
  readonly tries: number;
  /** The request that caused the entry. */
  readonly origin?: Origin;
}

/** A result that returns the entry to the queue. */
export interface Later {
  readonly againInSeconds: number;
}

/**
 * Works on one entry, which is done when this resolves with undefined. When it rejects, the entry is queued again: at once
 * when the worker was closed, else after a growing delay.
 */
export type Work = (entry: Entry, signal: AbortSignal) => Promise<Later | undefined>;

/** A worker on the entries of one queue. */
export interface Worker {
  /** Returns the number of entries in progress. */
  running(): number;
  /** Makes the worker look for entries at once. */
  wake(): void;
  /** Aborts the work on an entry, and waits for its end. */
  drop(id: string): Promise<void>;
  /** Fetches no more entries, aborts all work, and waits for its end. Idempotent. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly boss: PgBoss;
  readonly name: string;
  /** Maximum entries at the same time. */
  readonly concurrency: number;
  /**
   * Entries of one group in progress above which no more of the group are fetched. One fetch may add as many again.
   * Default: `concurrency`.
   */
  readonly groupConcurrency?: number;
  /** Milliseconds for which `close()` lets running entries end before it aborts them. Default 0. */
  readonly closeGraceMs?: number;
  /** Seconds within which running entries send two heartbeats. Default: no heartbeats. */
  readonly heartbeatSeconds?: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two polls, for entries to be retried and those added by other processes. */
const POLL_INTERVAL_MS = 2000;

/** The contents of an entry. */
type EntryData = Origin & { readonly id: string };

interface Running {
  readonly job: Job<EntryData>;
  readonly claim: AbortController;
  readonly done: Promise<void>;
}

/**
 * Starts a worker.
 *
 * Unlike pg-boss's own workers, of which there would be one poller for each concurrent entry, this is a single loop that
 * fetches as many entries as there is room for.
 */
export function startWorker(options: WorkerOptions, work: Work): Worker {
  const { boss, name, concurrency, groupConcurrency = concurrency, clock, onError } = options;
  const { heartbeatSeconds, closeGraceMs = 0 } = options;
  const running = new Set<Running>();
  const stopping = new AbortController();
  let isClosing = false;
  const wakeSignal = createWakeSignal(clock);

  /** Fetches as many entries as there is room for. */
  async function fetch(): Promise<boolean> {
    const room = Math.min(concurrency - running.size, groupConcurrency);
    if (room === 0) return false;
    try {
      const ignoreGroups = fullGroups(running, groupConcurrency);
      const jobs = await boss.fetch<EntryData>(name, { batchSize: room, ignoreGroups });
      jobs.forEach(start);
      return jobs.length > 0;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  function start(job: Job<EntryData>): void {
    const claim = new AbortController();
    const done = handle(job, AbortSignal.any([stopping.signal, claim.signal])).finally(() => {
      running.delete(one);
      wakeSignal.wake();
    });
    const one: Running = { job, claim, done };
    running.add(one);
  }

  async function handle(job: Job<EntryData>, signal: AbortSignal): Promise<void> {
    let settle = () => boss.deleteJob(name, job);
    try {
      const later = await work(entryOf(job), signal);
      if (later) settle = () => putBack(boss, job, later);
    } catch (error) {
      if (!signal.aborted) onError(error);
      settle = stopping.signal.aborted ? () => putBack(boss, job, AT_ONCE) : () => boss.fail(name, job);
    }
    await persist(settle, { clock, onError, signal: stopping.signal });
  }

  async function run(): Promise<void> {
    while (!isClosing) {
      wakeSignal.reset();
      if (!(await fetch())) await wakeSignal.woken(POLL_INTERVAL_MS);
    }
    await Promise.all([...running].map(({ done }) => done));
  }

  const stopBeating = heartbeatSeconds
    ? every((heartbeatSeconds * 1000) / 2, () => beat(boss, name, running), { clock, onError })
    : async () => {};
  const loop = run();
  return {
    running: () => running.size,
    wake: wakeSignal.wake,
    async drop(id) {
      const dropped = [...running].filter(({ job }) => job.data.id === id);
      for (const { claim } of dropped) claim.abort(aborted('it was removed'));
      await Promise.all(dropped.map(({ done }) => done));
    },
    async close() {
      isClosing = true;
      wakeSignal.wake();
      if (closeGraceMs > 0) await settledWithin(closeGraceMs, loop, clock);
      stopping.abort(aborted('the service stops'));
      await loop;
      await stopBeating();
    },
  };
}

const AT_ONCE: Later = { againInSeconds: 0 };

function entryOf({ data: { id, ...origin }, retryCount }: Job<EntryData>): Entry {
  return { id, tries: retryCount + 1, origin };
}

/** Repeats a write until it succeeds: an entry that is not settled would stay claimed. */
async function persist(
  write: () => Promise<unknown>,
  options: Pick<WorkerOptions, 'clock' | 'onError'> & { readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      options.onError(error);
      if (options.signal.aborted) return;
      await delay(POLL_INTERVAL_MS, options).catch(() => {});
    }
  }
}

/** Returns the groups that have reached their concurrency. */
function fullGroups(running: ReadonlySet<Running>, limit: number): string[] {
  const counts = new Map<string, number>();
  for (const { job } of running) {
    if (job.groupId) counts.set(job.groupId, (counts.get(job.groupId) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
}

async function putBack(boss: PgBoss, job: Job, { againInSeconds }: Later): Promise<object> {
  await boss.fail(job.name, job);
  return boss.update(job.name, undefined, { id: job.id, startAfter: againInSeconds });
}

/** Sends a heartbeat for all running entries, and aborts those that another worker has claimed. */
async function beat(boss: PgBoss, name: string, running: ReadonlySet<Running>): Promise<void> {
  const held = [...running];
  if (held.length === 0) return;
  const jobs = held.map(({ job }) => job);
  const { settled } = (await boss.touch(name, jobs)) as { settled?: readonly string[] };
  for (const { job, claim } of held) {
    if (settled && !settled.includes(job.id)) claim.abort(aborted('another worker has claimed it'));
  }
}

function aborted(reason: string): RxscribeError {
  return new RxscribeError('aborted', `The work on an entry was aborted: ${reason}.`);
}
