import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { Delivery, DeliveryOutcome } from '../../../src/service/jobs/deliveries.ts';
import { retryDelaySeconds } from '../../../src/service/outbound/notify.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type JobStoreOptions, openJobStore, type StorePlace } from '../../helpers/jobStore.ts';
import { OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { describeOnStores } from '../../helpers/storeBackends.ts';

/** A scripted network that records the attempts. */
function network(answer: (delivery: Delivery, tries: number) => DeliveryOutcome | Promise<DeliveryOutcome>) {
  const tried: Delivery[] = [];
  const deliver = async (delivery: Delivery, signal: AbortSignal) => {
    const tries = tried.push(delivery);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    aborted.catch(() => {});
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return Promise.race([answer(delivery, tries), aborted]);
  };
  return { tried, deliver };
}

const DELIVERED: DeliveryOutcome = { outcome: 'delivered' };
const RETRY: DeliveryOutcome = { outcome: 'retry', reason: 'the receiver answered with status 503' };

function open(place: StorePlace, options: JobStoreOptions) {
  return openJobStore(place, {
    tasks: { async: async () => ({ results: {} }) },
    describe: ({ id, status }) => ({ job: { id, status, name: 'né' } }),
    retryDelaySeconds: () => 0.1,
    ...options,
  });
}

const notified = (id: string, url: string, changes = {}) =>
  submission(id, { notification: { url, authorization: 'Basic x' }, ...changes });

const pending = async ({ store }: ReturnType<typeof open>) =>
  (await (await store.opened).db.selectFrom('deliveries').select('id').execute()).length;

/** Returns the seconds until each entry of the queue is due. */
async function waits({ store }: ReturnType<typeof open>): Promise<readonly number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from start_after - now())::float8 as seconds from queue.job
    where name = 'deliveries' and state < 'active'`.execute((await store.opened).db);
  return rows.map(({ seconds }) => seconds);
}

describeOnStores('the notification of a job', ({ locate }) => {
  test('is sent when the job has ended, with all its fields, and then deleted', async context => {
    const { tried, deliver } = network(() => DELIVERED);
    await using service = open(await locate(context), { deliver });
    await service.accounts.initialToken;
    const { db } = await service.store.opened;
    await db.updateTable('accounts').set({ signingSecret: 'secret' }).execute();
    await service.jobs.submit(notified('Job1', 'https://receiver/path?query'));
    await service.jobs.submit(submission('Job2'));
    await eventually(async () => expect([tried.length, await pending(service)]).toEqual([1, 0]));
    expect(tried).toEqual([
      {
        url: 'https://receiver/path?query',
        authorization: 'Basic x',
        body: '{"job":{"id":"Job1","status":"done","name":"né"}}',
        deliveryId: expect.stringMatching(/^\w{14}$/),
        secret: 'secret',
      },
    ]);
  });

  test('is retried across a restart without changes until it is delivered', {
    tags: 'slow',
  }, async context => {
    const place = await locate(context);
    const first = network(() => RETRY);
    {
      await using service = open(place, { deliver: first.deliver });
      await service.jobs.submit(notified('Job1', 'https://receiver/'));
      await eventually(() => expect(first.tried.length).toBeGreaterThan(1));
    }
    const second = network((_, tries) => (tries === 3 ? DELIVERED : RETRY));
    await using service = open(place, { deliver: second.deliver });
    await eventually(async () => expect(await pending(service)).toBe(0));
    expect(second.tried.length).toBe(3);
    for (const delivery of [...first.tried, ...second.tried]) expect(delivery).toEqual(first.tried[0]);
  });

  test('has its failure shown in the job, until an attempt succeeds', async context => {
    const reason = 'its address is not public';
    const third = Promise.withResolvers<DeliveryOutcome>();
    const outcomes = [RETRY, { outcome: 'retry', reason } as const, third.promise];
    const { deliver } = network((_, tries) => outcomes[tries - 1]!);
    await using service = open(await locate(context), { deliver });
    await service.jobs.submit(notified('Job1', 'https://receiver/'));
    const shown = async () => (await service.jobs.find(OWNER, 'Job1'))?.findings?.notificationFailure;
    await eventually(async () => expect(await shown()).toBe(reason));
    third.resolve(DELIVERED);
    await eventually(async () => expect([await pending(service), await shown()]).toEqual([0, undefined]));
  });

  test('waits longer after each attempt, and is given up after the window', async context => {
    const given: unknown[] = [];
    const clock = new VirtualClock();
    const { tried, deliver } = network(() => RETRY);
    const asked: number[] = [];
    await using service = open(await locate(context), {
      ...{ clock, deliver, windowMs: 50_000 },
      log: { info() {}, warn: (...line: readonly unknown[]) => given.push(line) },
      retryDelaySeconds(tries) {
        asked.push(tries);
        return retryDelaySeconds(tries, () => 0);
      },
    });
    await service.jobs.submit(notified('Job1', 'https://receiver/'));
    const db = async () => (await service.store.opened).db;
    for (const seconds of [10, 20]) {
      // The time of the database goes on meanwhile.
      await eventually(async () => {
        const [left] = await waits(service);
        expect(left).toBeLessThanOrEqual(seconds);
        expect(left).toBeGreaterThan(seconds / 2);
      });
      await sql`update queue.job set start_after = now()`.execute(await db());
      await clock.advanceAsync(seconds * 1000);
    }
    // At least 12 seconds have passed, and the next wait would take 40.
    await eventually(async () => expect(await pending(service)).toBe(0));
    expect([asked, tried.length]).toEqual([[1, 2, 3], 3]);
    const reason = 'the receiver answered with status 503';
    expect(given).toEqual([
      [expect.objectContaining({ job: 'Job1', tries: 3, reason }), 'notification given up'],
    ]);
  });

  test('is not retried when its receiver refuses further attempts', async context => {
    const { tried, deliver } = network(() => ({ outcome: 'stopped' }));
    await using service = open(await locate(context), { deliver });
    await service.jobs.submit(notified('Job1', 'https://receiver/'));
    await eventually(async () => expect([tried.length, await pending(service)]).toEqual([1, 0]));
    expect(await waits(service)).toEqual([]);
  });

  test('does not wait for other receivers, however many are slow', { tags: 'slow' }, async context => {
    const isSlow = ({ url }: Delivery) => url.startsWith('https://slow');
    const { tried, deliver } = network(delivery => (isSlow(delivery) ? new Promise(() => {}) : DELIVERED));
    await using service = open(await locate(context), { deliver });
    for (let index = 0; index < 60; index++) {
      await service.jobs.submit(notified(`slow${index}`, `https://slow${index % 3}/`));
    }
    await service.jobs.submit(notified('fast', 'https://fast/'));
    await eventually(() => expect(tried.filter(delivery => !isSlow(delivery)).length).toBe(1));
    await eventually(async () => expect(await pending(service)).toBe(60));
    // Fewer than twice the limit for each receiver.
    expect(tried.filter(isSlow).length).toBeLessThan(3 * 8);
  });

  test('is sent for a job without retention, and removed with a job that its user deletes', async context => {
    const { tried, deliver } = network(() => RETRY);
    await using service = open(await locate(context), { deliver, retryDelaySeconds: () => 3600 });
    await service.jobs.submit(notified('gone', 'https://receiver/', { deleteAfterSeconds: 0 }));
    await service.jobs.submit(notified('kept', 'https://receiver/'));
    await eventually(async () => expect((await waits(service)).filter(wait => wait > 0).length).toBe(2));
    expect(tried.map(({ body }) => JSON.parse(body).job.id).sort()).toEqual(['gone', 'kept']);
    expect(await service.jobs.find(OWNER, 'gone')).toBeUndefined();
    await service.jobs.remove('kept');
    expect([await pending(service), (await waits(service)).length]).toEqual([1, 1]);
  });

  test('is retried after a fault of the service', { tags: 'slow' }, async context => {
    const errors: unknown[] = [];
    const { tried, deliver } = network((_, tries) => {
      if (tries === 1) throw new TypeError('a fault');
      return DELIVERED;
    });
    await using service = open(await locate(context), { deliver, onError: error => errors.push(error) });
    await service.jobs.submit(notified('Job1', 'https://receiver/'));
    await untilJob(service.jobs, 'Job1', job => expect(job?.status).toBe('done'));
    await eventually(async () => expect([tried.length, await pending(service)]).toEqual([2, 0]));
    expect(errors.map(String)).toEqual(['TypeError: a fault']);
  });
});
