import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { seeded } from '../../../src/base/seeded.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';
import { audit } from './parts/audit.ts';
import { failOnce } from './parts/faults.ts';
import { ADMIN_TOKEN, type Installation, install, untilReady } from './parts/installation.ts';
import { startReceiver, submitJobs } from './parts/jobs.ts';
import { type StreamReport, stream } from './parts/streams.ts';

const MINUTES = Number(process.env.RXSCRIBE_BENCH_MINUTES ?? 10);
const SEED = Number(process.env.RXSCRIBE_BENCH_SEED ?? Math.floor(Math.random() * 1e6));
/** Streams at the same time. */
const STREAMS = 24;
/** Clients that submit jobs, and milliseconds between two submissions of one. */
const SUBMITTERS = 4;
const EVERY_MS = 1500;

/**
 * Runs three processes that take requests and three that run jobs, behind haproxy and nginx, while each of them and the
 * servers behind them are killed, paused or cut off at random moments, and compares the answers that clients got with what there
 * is at the end. `RXSCRIBE_BENCH_MINUTES`, default 10; `RXSCRIBE_BENCH_SEED` repeats the faults of a run.
 */
export async function run(): Promise<void> {
  console.log(`${MINUTES} minutes with seed ${SEED}`);
  const directory = await mkdtemp(join(tmpdir(), 'rxscribe-chaos-'));
  await using stack = new AsyncDisposableStack();
  if (!process.env.RXSCRIBE_BENCH_KEEP) stack.defer(() => rm(directory, { recursive: true, force: true }));
  const random = seeded(SEED);
  const installation = stack.use(
    await install({
      directory,
      api: 3,
      worker: 3,
      jobsAtOnce: 4,
      workMs: 5,
      limits: {
        account: { streams: 1000, jobsInProgress: 1e6, requestsPerSecond: 1000, requestBurst: 1000 },
      },
    }),
  );
  const receiver = stack.use(await startReceiver(random));
  const other = await createAccount(installation);
  const stopping = new AbortController();
  const { signal } = stopping;
  const urls = installation.balancers.map(({ url }) => url);
  const urlOf = (index: number) => urls[index % urls.length]!;
  const submitter = { notify: receiver.url, random, signal, everyMs: EVERY_MS };
  const submissions = Promise.all([
    ...Array.from({ length: SUBMITTERS }, (_, index) =>
      submitJobs(urlOf(index), { ...submitter, token: TEST_TOKEN }),
    ),
    submitJobs(urlOf(0), { ...submitter, token: other, deleteAfterSeconds: 5 }),
  ]);
  const streams = Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      streamAgain(urlOf(index), { token: other, random: seeded(SEED + index), signal }),
    ),
  );
  const faults = await fail(installation, random);
  stopping.abort();
  for (const machine of installation.machines) await untilReady(machine);
  const [jobs, reports] = await Promise.all([submissions, streams.then(lists => lists.flat())]);
  const kept = jobs.slice(0, -1).flatMap(({ accepted }) => accepted);
  const shortLived = jobs.at(-1)!.accepted;
  console.table(countOf(faults));
  console.table(streamTable(reports));
  console.table({
    'submissions without an answer': jobs.reduce((sum, { unanswered }) => sum + unanswered, 0),
    ...countOf(jobs.flatMap(({ refused }) => refused.map(status => `submissions refused with ${status}`))),
    ...(await audit(installation, kept, receiver, { directory: join(directory, 'audit'), shortLived })),
  });
  const exits = installation.machines.flatMap(machine => machine.exits);
  console.log(
    `${exits.length} processes ended by SIGTERM, ${exits.filter(code => code !== 0).length} of them with an error`,
  );
}

/** Lets one or two parts fail at a time, with some peace between. */
async function fail(installation: Installation, random: () => number): Promise<readonly string[]> {
  const endsAt = performance.now() + MINUTES * 60_000;
  const names: string[] = [];
  const failing = new Set<object>();
  const failAgain = async () => {
    while (performance.now() < endsAt) {
      await setTimeout(random() * 10_000);
      names.push(await failOnce(installation, random, failing));
    }
  };
  await Promise.all([failAgain(), failAgain()]);
  return names;
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(names, name => name)].map(([name, { length }]) => [name, length]),
  );
}

/** Streams again and again until the signal is aborted; the last one is complete. */
async function streamAgain(
  url: string,
  {
    token,
    random,
    signal,
  }: { readonly token: string; readonly random: () => number; readonly signal: AbortSignal },
): Promise<readonly StreamReport[]> {
  const reports: StreamReport[] = [];
  while (!signal.aborted) {
    const report = await stream(url, token, { seconds: 20 + random() * 70, random });
    if (report.lost + report.added > 0 || report.error) console.log(report);
    reports.push(report);
  }
  return reports;
}

function streamTable(reports: readonly StreamReport[]) {
  const sum = (of: (report: StreamReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  return {
    streams: reports.length,
    'streams that failed': reports.filter(({ error }) => error).length,
    reconnections: sum(({ reconnections }) => reconnections),
    'words spoken': sum(({ spoken }) => spoken),
    'words lost': sum(({ lost }) => lost),
    'words added': sum(({ added }) => added),
  };
}

/** Creates an account with credit for all streams; returns a token of it. */
async function createAccount({ machines }: Installation): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${machines[0]!.port}/admin/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { id } = (await post('accounts', { email: 'other@example.org', credit_seconds: 1e6 })) as {
    id: string;
  };
  const { token } = (await post(`accounts/${id}/tokens`, {})) as { token: string };
  return token;
}
