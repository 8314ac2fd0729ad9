// @module-tag tools

import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { INITIAL_BALANCE_SECONDS } from '../../../src/service/accounts/accounts.ts';
import { CREDIT_REFRESH_MS } from '../../../src/service/accounts/storedAccounts.ts';
import { joinMembers } from '../../../src/service/machines/member.ts';
import { sweepOnce } from '../../../src/service/store/sweepOnce.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openJobStore } from '../../helpers/jobStore.ts';
import { postMedia } from '../../helpers/keptService.ts';
import type { LimitedServiceOptions } from '../../helpers/limitedService.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { heldTask, OWNER, submission, untilJob } from '../../helpers/scriptedTasks.ts';
import { serverBackend } from '../../helpers/storeBackends.ts';
import { connectedStream, connectStream } from '../../helpers/streamClient.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const { locate } = serverBackend();
let place: Awaited<ReturnType<typeof locate>>;
beforeEach(async context => {
  place = await locate(context);
}, 120_000);

/** Starts several services on one store, and waits until they know of one another. */
async function start(count: number, options: Partial<LimitedServiceOptions> = {}) {
  const services = [];
  for (let index = 0; index < count; index++) {
    const service = await startTestService({ ...place, ...options });
    await service.ready;
    services.push(service);
  }
  await eventually(async () => expect(await query('select id from members')).toHaveLength(count));
  return services;
}

async function query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const JOBS = '/speechtotext/v1/jobs';
const TOO_MANY = { code: 4029 };

test('a process that the others have forgotten takes streams before its next heartbeat', async () => {
  const [service] = await start(1);
  await query('delete from members');
  const client = connectStream(service!);
  expect(await Promise.race([client.connected, client.closed])).toEqual(expect.any(String));
});

test('the streams of an account count on all machines', async () => {
  const [one, other] = await start(2, { limits: { account: { streams: 1 } } });
  const first = await connectedStream(one!);
  await expect(connectStream(other!).closed).resolves.toMatchObject(TOO_MANY);
  await expect(connectStream(one!).closed).resolves.toMatchObject(TOO_MANY);
  first.send('EOS');
  await first.closed;
  await eventually(async () => {
    const next = await connectedStream(other!);
    next.socket.terminate();
  });
  await eventually(async () => expect(await query('select * from streams')).toEqual([]));
});

test('a stream that a stopping machine ends does not count when its client connects elsewhere', async () => {
  const [one, other] = await start(2, { limits: { account: { streams: 1 } }, drainSeconds: 60 });
  const stream = await connectedStream(one!);
  const client = new pg.Client({ connectionString: place.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  // The place is given back only after the lock.
  await client.query('begin; lock table streams in share mode');
  const stopped = one!.close();
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from "streams"%'`;
  await eventually(async () => expect(await query(waiting)).toHaveLength(1));
  expect(stream.socket.readyState).toBe(stream.socket.OPEN);
  await client.query('commit');
  expect(await stream.closed).toMatchObject({ code: 4010 });
  await connectStream(other!).connected;
  await stopped;
});

test('the streams of a machine that has gone do not count', async () => {
  const [one, other] = await start(2, { limits: { account: { streams: 1 } }, clock: new VirtualClock() });
  await connectStream(one!).connected;
  await query(`update members set seen_on = seen_on - interval '1 minute'`);
  await connectStream(other!).connected;
});

test('the rows of a machine that has gone are removed: those of its streams first', async () => {
  const clock = new VirtualClock();
  await start(1, { clock });
  await query(
    `insert into members values ('gone', 'api', 'host', now() - interval '20 seconds');
    insert into streams values ('stream', 'owner', 'gone')`,
  );
  const untilBeat = (check: () => Promise<void>) =>
    eventually(async () => {
      await clock.advanceAsync(1000);
      await check();
    });
  await untilBeat(async () => expect(await query('select id from streams')).toEqual([]));
  expect(await query('select id from members')).toHaveLength(2);
  await query(`update members set seen_on = now() - interval '61 seconds' where id = 'gone'`);
  await untilBeat(async () => expect(await query('select id from members')).toHaveLength(1));
});

test('a stream of a deleted account hides no other stream of its machine', async () => {
  await using service = openJobStore(place);
  const { db } = await service.accounts.prepared;
  await using _ = await joinMembers({
    db,
    role: 'api',
    streams: () => ['nobody', OWNER].map(accountId => ({ id: `of ${accountId}`, accountId })),
    clock: new VirtualClock(),
    signal: new AbortController().signal,
    onError: () => {},
  });
  expect(await query('select id from streams')).toEqual([{ id: `of ${OWNER}` }]);
});

test('the requests of an account count on all machines', async () => {
  const account = { requestsPerSecond: 0.001, requestBurst: 5 };
  const services = await start(2, { limits: { account } });
  const statuses: number[] = [];
  for (let index = 0; index < 8; index++) {
    statuses.push((await request(services[index % 2]!, `${JOBS}?limit=1`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
});

test('the credit that a stream uses is missing on other machines while it runs', async () => {
  const clock = new VirtualClock();
  const [one, other] = await start(2, { clock });
  const stream = await connectedStream(one!);
  stream.send(scriptedSpeech(Array.from({ length: 30 }, () => 4)));
  await stream.message(({ elements }) => elements?.length === 30);
  await clock.advanceAsync(CREDIT_REFRESH_MS);
  await eventually(async () =>
    expect((await request(other!, '/speechtotext/v1/account')).json()).toMatchObject({
      balance_seconds: INITIAL_BALANCE_SECONDS - 3,
    }),
  );
  stream.send('EOS');
  await stream.closed;
  await eventually(async () =>
    expect(await query('select balance_seconds from accounts')).toEqual([
      { balance_seconds: INITIAL_BALANCE_SECONDS - 3 },
    ]),
  );
});

test('a worker has no interface but the checks of load balancers, and runs the jobs of others', async () => {
  const [api] = await start(1, { role: 'api' });
  const { id } = (await postMedia(api!, JOBS)).json();
  const worker = await startTestService({ ...place, role: 'worker' });
  await worker.ready;
  expect((await request(worker, '/health/ready')).status).toBe(200);
  for (const path of [JOBS, '/speechtotext/v1/account', '/openapi.json', '/speechtotext/v1/stream']) {
    expect((await request(worker, path)).status).toBe(404);
  }
  const refused = connectStream(worker);
  expect((await refused.closed).code).toBe(1006);
  await eventually(async () =>
    expect((await request(api!, `${JOBS}/${id}`)).json()).toMatchObject({ status: 'transcribed' }),
  );
});

test('a part of a service requires a database that the others use', async () => {
  await expect(startTestService({ dataDirectory: await temporaryDirectory(), role: 'api' })).rejects.toThrow(
    "Role 'api' requires option 'databaseUrl', a database that the other processes use too.",
  );
});

test('a worker learns at once of jobs that others submit, also after it has lost its connections', async () => {
  const { task, begun } = heldTask();
  await using api = openJobStore(place, { worksOnQueue: false });
  // Its clock stands still: only a message makes it look.
  const clock = new VirtualClock(Date.now());
  await using worker = openJobStore(place, { tasks: { async: task }, clock, onError: () => {} });
  await worker.jobs.find(OWNER, 'nothing');
  await eventually(async () => expect(await listeners()).toBe(1));
  await api.jobs.submit(submission('Job1'));
  await eventually(() => expect(begun.map(({ id }) => id)).toEqual(['Job1']));
  begun[0]!.end();
  await untilJob(api.jobs, 'Job1', job => expect(job?.status).toBe('done'));
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );
  await eventually(async () => {
    await clock.advanceAsync(100);
    expect(await listeners()).toBe(1);
  });
  await api.jobs.submit(submission('Job2'));
  await eventually(() => expect(begun.map(({ id }) => id)).toEqual(['Job1', 'Job2']));
});

test('a worker aborts a job at once that is deleted on another machine', async () => {
  const { task, begun } = heldTask();
  const seen: AbortSignal[] = [];
  await using api = openJobStore(place, { worksOnQueue: false });
  await using worker = openJobStore(place, {
    clock: new VirtualClock(),
    tasks: {
      async async(job, context) {
        seen.push(context.signal);
        return task(job, context);
      },
    },
  });
  await worker.jobs.find(OWNER, 'nothing');
  await eventually(async () => expect(await listeners()).toBe(1));
  await api.jobs.submit(submission('Job1'));
  await eventually(() => expect(begun).toHaveLength(1));
  await api.jobs.removeAll(OWNER);
  await eventually(() => expect(seen[0]!.aborted).toBe(true));
});

test('one of several processes does maintenance', async () => {
  await using one = openJobStore(place, { worksOnQueue: false });
  const { db } = await one.store.opened;
  const now = new Date('2026-01-01T00:00:00Z');
  let runs = 0;
  const sweep = async (seconds: number, work = async () => void runs++) => {
    const at = new Date(now.getTime() + seconds * 1000);
    await sweepOnce(db, 'test', { everyMs: 30_000, now: at }, work);
    return runs;
  };
  await Promise.all(Array.from({ length: 8 }, () => sweep(0)));
  expect(runs).toBe(1);
  expect(await sweep(20)).toBe(1);
  expect(await sweep(30)).toBe(2);
  // A failure, and a clock that is ahead, delay nothing.
  await expect(sweep(3600, () => Promise.reject(new Error('no server')))).rejects.toThrow('no server');
  expect(await sweep(60)).toBe(3);
  await sweep(3600);
  expect(await sweep(90)).toBe(5);
});

async function listeners(): Promise<number> {
  return (
    await query(
      `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
    )
  ).length;
}
