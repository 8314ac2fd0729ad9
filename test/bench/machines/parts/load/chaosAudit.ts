import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Clock, delay } from '../../../../../src/base/clock.ts';
import { RxscribeError, reasonOf } from '../../../../../src/base/errors.ts';
import type { Random } from '../../../../../src/base/seeded.ts';
import type { Client } from '../../../../../src/client/jobs/createClient.ts';
import type { Job } from '../../../../../src/client/jobs/jobTypes.ts';
import { throughOutage } from '../../../../../src/client/jobs/waitFor.ts';
import { brandNames } from '../../../../../src/protocol/interfaceNames.ts';
import type { Leftovers } from './leftovers.ts';
import type { Recording } from './loadSpeech.ts';
import type { StreamCounts } from './loadStream.ts';

/** Seconds for which clients try again when a service is away. */
export const OUTAGE_SECONDS = 300;
/** Milliseconds between two polls, or two attempts. */
export const RETRY_MS = 1000;
/** Milliseconds by which the clocks of the processes of a service may differ. */
const CLOCK_SKEW_MS = 600_000;
/** Share of the notifications that the receiver refuses or does not answer. */
const REFUSED = 0.1;

/** The job of a recording before the first fault, with its text. */
export interface ReferenceJob {
  readonly recording: Recording;
  readonly job: Job;
  readonly text: string;
}

/** The answers of a service to its clients during the faults. */
export interface ChaosRun {
  readonly client: Client;
  /** Start of the metadata of all jobs; the number of the submission follows, which selects the reference. */
  readonly name: string;
  readonly references: readonly ReferenceJob[];
  /** Jobs that the service has accepted. */
  readonly accepted: readonly { readonly id: string; readonly isShortLived: boolean }[];
  readonly failedStreams: number;
  readonly receiver: NotificationLog;
  readonly counts: StreamCounts;
  /** Share of the words of streams that may differ: a recogniser may hear a word differently after a reconnection. */
  readonly maxWordErrors: number;
  /** Counts the rows and objects of the store. */
  readonly leftovers: () => Promise<Leftovers>;
  /** Seconds after the last fault for the service to end its jobs. */
  readonly settleSeconds: number;
  readonly clock: Clock;
  /** Ends all faults when it is aborted, and rejects the run with its reason. */
  readonly signal: AbortSignal;
}

/** The notifications of jobs by their ids. */
export interface NotificationLog extends AsyncDisposable {
  readonly url: string;
  /** Ids of the deliveries of each job, of all attempts. */
  readonly deliveries: ReadonlyMap<string, ReadonlySet<string>>;
  /** Jobs with a notification that was answered with 200. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Starts a receiver that refuses some notifications, and listens on the port of its address.
 *
 * @throws RxscribeError `unavailable` when it cannot listen
 */
export async function startReceiver(
  address: URL,
  { brand, random }: { readonly brand?: string; readonly random: Random },
): Promise<NotificationLog> {
  const deliveries = new Map<string, Set<string>>();
  const taken = new Set<string>();
  const header = brandNames(brand).deliveryHeader.toLowerCase();
  const server = createServer(async (request, response) => {
    const { job } = ((await json(request).catch(() => {})) ?? {}) as {
      readonly job?: { readonly id: string };
    };
    const luck = random();
    if (!job) return void response.writeHead(400).end();
    deliveries.set(job.id, (deliveries.get(job.id) ?? new Set()).add(String(request.headers[header])));
    if (luck < REFUSED / 2) return void request.socket.destroy();
    if (luck >= REFUSED) taken.add(job.id);
    response.writeHead(luck < REFUSED ? 503 : 200).end();
  });
  const port = Number(address.port || '80');
  try {
    await once(server.listen(port), 'listening');
  } catch (cause) {
    const message = `Cannot listen for notifications on port ${port}: ${reasonOf(cause)}.`;
    throw new RxscribeError('unavailable', message, { cause });
  }
  return {
    url: address.href,
    deliveries,
    taken,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

/**
 * Waits until a service has ended its jobs, counts losses, duplicates and leftovers, and deletes the jobs.
 *
 * @param before leftovers before the run
 */
export async function auditChaos(
  run: ChaosRun,
  before: Leftovers,
): Promise<Readonly<Record<string, number>>> {
  const { accepted, receiver, client, references } = run;
  const shortLived = new Set(accepted.flatMap(({ id, isShortLived }) => (isShortLived ? [id] : [])));
  const unnotified = () => accepted.filter(({ id }) => !receiver.taken.has(id)).length;
  const jobs = await settled(run, async () => {
    const listed = await ownJobs(run);
    const open = listed.filter(({ id, status }) => status === 'in_progress' || shortLived.has(id)).length;
    return { value: listed, waits: open + unnotified() };
  });
  const { words } = run.counts;
  const wrong = words.missing + words.extra + words.changed;
  const ids = new Set(jobs.map(({ id }) => id));
  const done = jobs.filter(({ status }) => status === 'transcribed');
  let changed = 0;
  for (const { id, metadata, durationSeconds } of done) {
    const { text, job } = references[Number(metadata!.slice(run.name.length)) % references.length]!;
    const found = await withOutages(run, () => client.transcription.transcriptText(id)).catch(() => {});
    if (found !== text || durationSeconds !== job.durationSeconds) changed++;
  }
  const findings = {
    streamsFailed: run.failedStreams,
    wordErrors: wrong > run.maxWordErrors * words.expected ? wrong : 0,
    jobsLost: accepted.filter(({ id, isShortLived }) => !isShortLived && !ids.has(id)).length,
    jobsTwice: jobs.length - new Set(jobs.map(({ metadata }) => metadata)).size,
    jobsUnfinished: jobs.length - done.length,
    jobsChanged: changed,
    jobsNotDeleted: jobs.filter(({ id }) => shortLived.has(id)).length,
    notificationsMissing: unnotified(),
    notificationsTwice: [...receiver.deliveries.values()].filter(({ size }) => size > 1).length,
  };
  // A job that has not ended cannot be deleted; it was counted above.
  for (const { id } of [...jobs, ...references.map(({ job }) => job)])
    await withOutages(run, () => client.transcription.delete(id)).catch(() => {});
  return { ...findings, ...(await leftSince(run, before)) };
}

/** Returns the jobs of a run that the service has. */
async function ownJobs({ client, name, references }: ChaosRun): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  const [first] = references;
  if (!first) return jobs;
  const sinceMs = Date.parse(first.job.createdOn) - CLOCK_SKEW_MS;
  for await (const job of client.transcription.listAll({ limit: 1000 })) {
    if (Date.parse(job.createdOn) < sinceMs) break;
    if (job.metadata?.startsWith(name)) jobs.push(job);
  }
  return jobs;
}

/** Counts the leftovers that the run has added. */
function leftSince(run: ChaosRun, before: Leftovers): Promise<Readonly<Record<string, number>>> {
  return settled(run, async () => {
    const now = Object.entries(await run.leftovers()) as [keyof Leftovers, number][];
    const left = now.map(([what, count]) => [`${what}Left`, Math.max(0, count - before[what])] as const);
    return { value: Object.fromEntries(left), waits: left.reduce((sum, [, count]) => sum + count, 0) };
  });
}

/** Polls each second until nothing is pending, or the time to settle is over; resolves with the last value. */
async function settled<T>(
  run: ChaosRun,
  look: () => Promise<{ readonly value: T; readonly waits: number }>,
): Promise<T> {
  const { clock, signal, settleSeconds } = run;
  const endMs = clock.now() + settleSeconds * 1000;
  for (;;) {
    const { value, waits } = await withOutages(run, look);
    if (waits === 0 || clock.now() >= endMs) return value;
    await delay(RETRY_MS, { clock, signal });
  }
}

/** Repeats a call while the service is unreachable or busy. */
function withOutages<T>({ signal, clock }: ChaosRun, call: () => Promise<T>): Promise<T> {
  return throughOutage(call, { signal, clock, maxOutageMs: OUTAGE_SECONDS * 1000 });
}
