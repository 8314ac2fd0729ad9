import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createEndJob, type EndJob } from '../../../src/service/jobs/ending.ts';
import { noJobLog } from '../../../src/service/jobs/jobLog.ts';
import { ABANDONED_MS, createLeaseWatch, createOrphanSweep } from '../../../src/service/jobs/orphans.ts';
import { createStreamedJobs } from '../../../src/service/jobs/streamedJobs.ts';
import { STORE_RETRY_MS } from '../../../src/service/store/untilReachable.ts';
import { noInstruments } from '../../../src/service/telemetry/createInstruments.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { OWNER } from '../../helpers/scriptedTasks.ts';

const INTERVAL_MS = 30_000;
const ROUNDS = ABANDONED_MS / INTERVAL_MS;

const lease = (id: string, ms: number) => ({ id, leaseUntil: new Date(ms) });

describe('the watch over leases', () => {
  function setUp() {
    const clock = new VirtualClock();
    const watch = createLeaseWatch(clock, INTERVAL_MS);
    /** Observes once in each interval, and returns the last answer. */
    const observe = (leases: readonly ReturnType<typeof lease>[], rounds = 1) => {
      let abandoned: readonly string[] = [];
      for (let round = 0; round < rounds; round++) {
        clock.advance(INTERVAL_MS);
        abandoned = watch(leases).map(({ id }) => id);
      }
      return abandoned;
    };
    return { clock, watch, observe };
  }

  test('returns a lapsed lease when it has not changed for the whole time', () => {
    const { observe } = setUp();
    expect(observe([lease('a', 0)], ROUNDS)).toEqual([]);
    expect(observe([lease('a', 0), lease('b', 0)])).toEqual(['a']);
    expect(observe([lease('b', 0)], ROUNDS)).toEqual(['b']);
  });

  test('starts again with a lease that was renewed', () => {
    const { observe } = setUp();
    for (let ms = 0; ms < 10; ms++) expect(observe([lease('a', ms)], ROUNDS)).toEqual([]);
    observe([lease('a', 0)], ROUNDS);
    observe([]);
    expect(observe([lease('a', 0)], ROUNDS)).toEqual([]);
  });

  test('starts again after a round that failed, such as in an outage', () => {
    const { clock, observe } = setUp();
    observe([lease('a', 0)], ROUNDS);
    clock.advance(INTERVAL_MS);
    expect(observe([lease('a', 0)], ROUNDS)).toEqual([]);
    expect(observe([lease('a', 0)])).toEqual(['a']);
  });
});

/** A service with the job of a stream, whose lease it does not renew: its clock stands still. */
async function withoutRenewal() {
  const service = openJobStore({}, { clock: new VirtualClock() });
  service.jobs.start({ id: 'Job0', accountId: OWNER, type: 'stream' });
  await service.jobs.find(OWNER, 'Job0');
  const store = await service.store.opened;
  const setLease = async (ms: number) => {
    await store.db
      .updateTable('jobs')
      .set({ leaseUntil: new Date(ms) })
      .execute();
  };
  await setLease(0);
  return { service, store, setLease };
}

test('an abandoned job is failed, unless its lease is renewed at the last moment', async () => {
  const clock = new VirtualClock();
  const { service, store, setLease } = await withoutRenewal();
  await using _ = service;
  const end = createEndJob({
    store,
    queue: undefined as never,
    describe: () => ({}),
    clock,
    onError: () => {},
    instruments: noInstruments,
    log: noJobLog,
  });
  const ends: boolean[] = [];
  const open = {
    store: { ...store, exclusive: false },
    async end(...[id, outcome, options]: Parameters<EndJob>) {
      if (ends.length === 0) await setLease(1);
      ends.push(await end(id, outcome, options));
      return ends.at(-1)!;
    },
  };
  const sweep = createOrphanSweep({ running: new Set(), clock, intervalMs: INTERVAL_MS });
  for (let round = 0; round <= 2 * ROUNDS + 1; round++) {
    expect(await service.jobs.find(OWNER, 'Job0')).toMatchObject({ status: 'in_progress' });
    await sweep(open);
    clock.advance(INTERVAL_MS);
  }
  expect(ends).toEqual([false, true]);
  expect(await service.jobs.find(OWNER, 'Job0')).toMatchObject({ status: 'failed' });
});

test('a process does not fail its own jobs', async () => {
  const clock = new VirtualClock();
  const { service, store } = await withoutRenewal();
  await using _ = service;
  const ends: string[] = [];
  const open = {
    store: { ...store, exclusive: false },
    async end(id: string) {
      ends.push(id);
      return true;
    },
  };
  const running = new Set(['Job0']);
  const sweep = createOrphanSweep({ running, clock, intervalMs: INTERVAL_MS });
  const rounds = async () => {
    for (let round = 0; round <= ROUNDS; round++) {
      await sweep(open);
      clock.advance(INTERVAL_MS);
    }
  };
  await rounds();
  expect(ends).toEqual([]);
  running.delete('Job0');
  await rounds();
  expect(ends).toEqual(['Job0']);
});

test('the lease of a job is renewed until its end is saved', async () => {
  const clock = new VirtualClock();
  await using service = openJobStore({}, { clock });
  await service.jobs.find(OWNER, 'nothing');
  const store = await service.store.opened;
  const ends: string[] = [];
  let isReachable = false;
  const streamed = createStreamedJobs({
    opened: Promise.resolve({
      store,
      async end(id) {
        ends.push(id);
        if (!isReachable) throw new RxscribeError('store', 'Cannot reach the object server.');
        return true;
      },
    }),
    clock,
    onError: () => {},
  });
  const job = streamed.start({ id: 'Job0', accountId: OWNER, type: 'stream' });
  await streamed.written('Job0');
  job.end({ status: 'done' });
  job.end({ status: 'done' });
  await eventually(() => expect(ends.length).toBe(1));
  expect([...streamed.running]).toEqual(['Job0']);
  isReachable = true;
  await eventually(() => {
    clock.advance(STORE_RETRY_MS);
    expect([...streamed.running]).toEqual([]);
  });
  expect(ends).toEqual(['Job0', 'Job0']);
  await streamed.close();
});
