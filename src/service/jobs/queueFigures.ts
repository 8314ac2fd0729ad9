import { sql } from 'kysely';
import type { Instruments, Observe } from '../telemetry/createInstruments.ts';
import { databaseFigures } from '../telemetry/databaseFigures.ts';
import type { JobsContext, OpenJobs } from './openJobs.ts';
import { DELIVERIES, QUEUE_TABLE, queueNames } from './queue.ts';

/** Maximum number of counted entries of a queue: counting more would take long and say no more. */
const MAX_COUNTED = 100_000;

export interface QueueFiguresOptions extends Omit<JobsContext<'store' | 'lanes'>, 'onError'> {
  /** Returns the queues of this process; undefined before the store is open. */
  readonly own: () => OpenJobs | undefined;
  readonly instruments: Instruments;
}

interface QueueFigures {
  readonly name: string;
  readonly count: number;
  /** Seconds; null without an entry. */
  readonly age: number | null;
}

/** Reports the queues while metrics are collected. Returns a function that ends this. */
export function observeQueues({ opened, own, clock, instruments }: QueueFiguresOptions): () => void {
  const stopOwn = instruments.observe(['jobsRunning', 'databaseConnections'], observe => {
    const open = own();
    if (!open) return;
    const { store, queue, lanes } = open;
    for (const { name } of lanes) observe('jobsRunning', queue.running(name), { lane: name });
    for (const [state, count] of Object.entries(store.connections?.() ?? {}))
      observe('databaseConnections', count, { state });
  });
  const read = databaseFigures(clock, async () => readQueues(await opened));
  const stopQueues = instruments.observe(
    ['jobsWaiting', 'jobsWaitingAge', 'deliveriesWaiting'],
    async observe => report(await read(), observe),
  );
  return () => {
    stopOwn();
    stopQueues();
  };
}

function report(queues: readonly QueueFigures[], observe: Observe): void {
  for (const { name, count, age } of queues) {
    if (name === DELIVERIES) observe('deliveriesWaiting', count);
    else {
      observe('jobsWaiting', count, { lane: name });
      observe('jobsWaitingAge', age ?? 0, { lane: name });
    }
  }
}

async function readQueues({
  store: { db },
  lanes,
}: Pick<OpenJobs, 'store' | 'lanes'>): Promise<readonly QueueFigures[]> {
  const { rows } = await sql<QueueFigures>`
    select name, count, age from unnest(${queueNames(lanes)}::text[]) as name cross join lateral (
      select count(*)::int as count, extract(epoch from now() - min(created_on))::float8 as age from (
        select created_on from ${sql.table(QUEUE_TABLE)} as entry
        where entry.name = name.name and state < 'active' and not blocked limit ${MAX_COUNTED}
      ) as waiting
    ) as counted`.execute(db);
  return rows;
}
