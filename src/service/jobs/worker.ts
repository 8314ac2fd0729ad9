import type { Job, PgBoss } from 'pg-boss';
import { type Clock, delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { every } from '../../base/wait/every.ts';
import { createWakeSignal } from '../../base/wait/wakeSignal.ts';

/** What a worker has in hand. */
export interface Entry {
  /** Of the row. */
  readonly id: string;
  /** How often it was taken in hand, this time included. */
  readonly tries: number;
}

/** Not done yet: the entry is to be taken in hand again. */
export interface Later {
  readonly againInSeconds: number;
}

/**
 * Work on one entry, which is done when this resolves with nothing. When it rejects, the entry is taken in hand again: at
 * once when the worker was closed, else after a while, which grows.
 */
export type Work = (entry: Entry, signal: AbortSignal) => Promise<Later | undefined>;

/** Takes the entries of one queue in hand. */
export interface Worker {
  /** Looks at once whether there is something. */
  wake(): void;
  /** Aborts the work on an entry, and waits for it. */
  drop(id: string): Promise<void>;
  /** Aborts what is in hand, and waits for it. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly boss: PgBoss;
  readonly name: string;
  /** Entries in hand at the same time. */
  readonly concurrency: number;
  /**
   * When so many entries of a group are in hand no more of it are taken; what is taken at once may be as many again.
   * Default: as many as of all.
   */
  readonly groupConcurrency?: number;
  /** Entries in hand give a sign twice in this time. Default: never. */
  readonly heartbeatSeconds?: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Between two looks when nobody wakes the worker: for what is to be tried again, and what other services added. */
export const POLL_INTERVAL_MS = 2000;

interface InHand {
  readonly job: Job<{ id: string }>;
  readonly claim: AbortController;
  readonly done: Promise<void>;
}

/**
 * Starts a worker.
 *
 * pg-boss has workers of its own: as many of them as there may be entries in hand, each of which polls, and which have
 * to be woken one by one. This is one loop, which asks for as many entries as it can take.
 */
export function startWorker(options: WorkerOptions, work: Work): Worker {
  const { boss, name, concurrency, groupConcurrency = concurrency, clock, onError } = options;
  const inHand = new Set<InHand>();
  const stopping = new AbortController();
  const wakeSignal = createWakeSignal(clock);

  /** Takes as much as there is room for. */
  async function take(): Promise<boolean> {
    const room = Math.min(concurrency - inHand.size, groupConcurrency);
    if (room === 0) return false;
    try {
      const ignoreGroups = fullGroups(inHand, groupConcurrency);
      const jobs = await boss.fetch<{ id: string }>(name, { batchSize: room, ignoreGroups });
      jobs.forEach(hold);
      return jobs.length > 0;
    } catch (error) {
      onError(error);
      return false;
    }
  }

  function hold(job: Job<{ id: string }>): void {
    const claim = new AbortController();
    const done = handle(job, AbortSignal.any([stopping.signal, claim.signal])).finally(() => {
      inHand.delete(one);
      wakeSignal.wake();
    });
    const one: InHand = { job, claim, done };
    inHand.add(one);
  }

  async function handle(job: Job<{ id: string }>, signal: AbortSignal): Promise<void> {
    let settle = () => boss.deleteJob(name, job);
    try {
      const later = await work({ id: job.data.id, tries: job.retryCount + 1 }, signal);
      if (later) settle = () => putBack(boss, job, later);
    } catch (error) {
      if (!signal.aborted) onError(error);
      const isStopping = stopping.signal.aborted;
      settle = isStopping ? () => putBack(boss, job, { againInSeconds: 0 }) : () => boss.fail(name, job);
    }
    await persist(settle, { clock, onError, signal: stopping.signal });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wakeSignal.reset();
      if (!(await take())) await wakeSignal.woken(POLL_INTERVAL_MS);
    }
    await Promise.all([...inHand].map(({ done }) => done));
  }

  const { heartbeatSeconds } = options;
  const stopBeating = heartbeatSeconds
    ? every((heartbeatSeconds * 1000) / 2, () => beat(boss, name, inHand), { clock, onError })
    : async () => {};
  const running = run();
  return {
    wake: wakeSignal.wake,
    async drop(id) {
      const dropped = [...inHand].filter(({ job }) => job.data.id === id);
      for (const { claim } of dropped) claim.abort(aborted('it taken away'));
      await Promise.all(dropped.map(({ done }) => done));
    },
    async close() {
      stopping.abort(aborted('the service stopping'));
      wakeSignal.wake();
      await running;
      await stopBeating();
    },
  };
}

/** Until it is written: what is not settled would stay in hand. */
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

/** Groups of which as many are in hand as may be. */
function fullGroups(inHand: ReadonlySet<InHand>, limit: number): string[] {
  const counts = new Map<string, number>();
  for (const { job } of inHand) {
    if (job.groupId) counts.set(job.groupId, (counts.get(job.groupId) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= limit).map(([group]) => group);
}

async function putBack(boss: PgBoss, job: Job, { againInSeconds }: Later): Promise<object> {
  await boss.fail(job.name, job);
  return boss.update(job.name, undefined, { id: job.id, startAfter: againInSeconds });
}

/** Says of what is in hand that it still is, and lets go of what somebody else has taken. */
async function beat(boss: PgBoss, name: string, inHand: ReadonlySet<InHand>): Promise<void> {
  const held = [...inHand];
  if (held.length === 0) return;
  const jobs = held.map(({ job }) => job);
  const { settled } = (await boss.touch(name, jobs)) as { settled?: readonly string[] };
  for (const { job, claim } of held) {
    if (settled && !settled.includes(job.id)) claim.abort(aborted('it in the hands of another worker'));
  }
}

function aborted(found: string): RxscribeError {
  return new RxscribeError('aborted', `work on an entry: wanted to go on, found ${found}`);
}
