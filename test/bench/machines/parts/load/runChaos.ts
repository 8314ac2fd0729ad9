import { delay } from '../../../../../src/base/clock.ts';
import { createId } from '../../../../../src/base/ids.ts';
import { seeded } from '../../../../../src/base/seeded.ts';
import { createClient } from '../../../../../src/client/jobs/createClient.ts';
import {
  auditChaos,
  type ChaosRun,
  OUTAGE_SECONDS,
  RETRY_MS,
  type ReferenceJob,
  startReceiver,
} from './chaosAudit.ts';
import { type ChaosFault, planFaults, runFaults } from './chaosFaults.ts';
import { hearAlone, type LoadService, type Recording, type Speech } from './loadSpeech.ts';
import { type StreamCounts, startLoadStream } from './loadStream.ts';

export interface ChaosOptions
  extends Pick<ChaosRun, 'maxWordErrors' | 'leftovers' | 'settleSeconds' | 'signal' | 'clock'> {
  readonly service: LoadService;
  readonly recordings: readonly Recording[];
  readonly faults: readonly ChaosFault[];
  /** Seconds during which faults happen. */
  readonly seconds: number;
  /** Determines the faults with their times, and the streams. */
  readonly seed: number;
  /** Simultaneous streams. */
  readonly streams: number;
  /** Jobs in flight. */
  readonly jobs: number;
  /** Address at which the service reaches this process, which listens on its port. */
  readonly notifyUrl: string;
}

/** The result of a run with faults. */
export interface ChaosReport {
  /** True when the audit found nothing, and there were words and jobs to audit. */
  readonly isSound: boolean;
  /** Faults that happened, by name. */
  readonly faults: Readonly<Record<string, number>>;
  /** Numbers of streams, words and jobs. */
  readonly facts: Readonly<Record<string, number>>;
  /** Numbers that are 0 in a sound service. */
  readonly findings: Readonly<Record<string, number>>;
}

/** Seconds for which the service keeps jobs, which the audit deletes. */
const KEEP_SECONDS = 86_400;
/** Seconds for which the service keeps the results of streams. */
const KEEP_STREAMS_SECONDS = 600;
/** One job of this number is deleted by the service at its end. */
const SHORT_LIVED = 5;
const SESSION_SECONDS = { min: 20, max: 90 } as const;

interface Chaos extends ChaosOptions, ChaosRun {
  readonly speech: readonly Speech[];
  readonly accepted: { readonly id: string; readonly isShortLived: boolean }[];
  /** Number of submissions that were refused, or not answered. */
  refused: number;
  failedStreams: number;
  submitted: number;
}

/**
 * Streams and submits jobs while parts of a service fail, then compares the answers with the jobs and notifications of the
 * service. First, each recording is streamed and transcribed once without faults, which gives the expected words.
 *
 * @throws ServiceError when the service fails without a fault; the first error of a fault; the signal's reason
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { service, seed, clock, signal, notifyUrl, leftovers } = options;
  await using receiver = await startReceiver(new URL(notifyUrl), { ...service, random: seeded(seed) });
  const counts: StreamCounts = {
    ended: 0,
    broken: 0,
    words: { expected: 0, missing: 0, extra: 0, changed: 0 },
  };
  const before = await leftovers();
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const chaos: Chaos = {
    ...options,
    ...(await hearWithoutFaults(options)),
    client: createClient({ ...service, signal: ending, clock }),
    name: `chaos ${createId()} `,
    counts,
    receiver,
    accepted: [],
    refused: 0,
    failedStreams: 0,
    submitted: 0,
    signal: ending,
  };
  const stopping = new AbortController();
  const clients = startClients(chaos, AbortSignal.any([stopping.signal, ending]));
  const faults: Record<string, number> = {};
  const onFault = (name: string) => {
    faults[name] = (faults[name] ?? 0) + 1;
  };
  try {
    await runFaults(planFaults(options.faults, options), { clock, signal, onFault });
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    stopping.abort();
    await clients;
  }
  signal.throwIfAborted();
  const findings = await auditChaos(chaos, before);
  const { ended, broken, words } = counts;
  const isProof =
    (options.streams === 0 || words.expected > 0) && (options.jobs === 0 || chaos.accepted.length > 0);
  return {
    isSound: isProof && Object.values(findings).every(count => count === 0),
    faults,
    facts: {
      streams: ended,
      reconnections: broken,
      words: words.expected,
      wordsLost: words.missing,
      wordsAdded: words.extra,
      wordsChanged: words.changed,
      jobs: chaos.accepted.length,
      submissionsRefused: chaos.refused,
    },
    findings,
  };
}

async function hearWithoutFaults(options: ChaosOptions): Promise<Pick<Chaos, 'speech' | 'references'>> {
  const { service, recordings, streams, jobs, clock, signal } = options;
  const { transcription } = createClient({ ...service, signal, clock });
  const speech: Speech[] = [];
  const references: ReferenceJob[] = [];
  for (const recording of recordings) {
    if (streams > 0) speech.push(await hearAlone(recording, options));
    if (jobs === 0) continue;
    const { id } = await transcription.submit({ path: recording.path }, { deleteAfterSeconds: KEEP_SECONDS });
    const job = await transcription.waitFor(id);
    references.push({ recording, job, text: await transcription.transcriptText(id) });
  }
  return { speech, references };
}

/** Starts the clients, and resolves when all have ended after the signal. */
async function startClients(chaos: Chaos, signal: AbortSignal): Promise<void> {
  await Promise.all([
    ...Array.from({ length: chaos.streams }, (_, index) => streamAgain(chaos, index, signal)),
    ...Array.from({ length: chaos.jobs }, () => submitAgain(chaos, signal)),
  ]);
}

async function streamAgain(chaos: Chaos, index: number, signal: AbortSignal): Promise<void> {
  const { service, speech, counts, clock, seed } = chaos;
  const random = seeded(seed + index);
  while (!signal.aborted) {
    const recording = speech[Math.floor(random() * speech.length)]!;
    const stream = startLoadStream({
      service,
      speech: recording,
      counts,
      clock,
      random,
      firstBlock: Math.floor(random() * recording.blocks.length),
      deleteAfterSeconds: KEEP_STREAMS_SECONDS,
      outageSeconds: OUTAGE_SECONDS,
    });
    const { min, max } = SESSION_SECONDS;
    await delay((min + random() * (max - min)) * 1000, { clock, signal }).catch(() => {});
    if (chaos.signal.aborted) stream.close();
    else stream.finish();
    const { error } = await stream.done;
    if (error === undefined) continue;
    chaos.failedStreams++;
    await delay(RETRY_MS, { clock, signal }).catch(() => {});
  }
}

async function submitAgain(chaos: Chaos, signal: AbortSignal): Promise<void> {
  const { references, accepted, name, receiver, clock } = chaos;
  const { transcription } = chaos.client;
  while (!signal.aborted) {
    const number = chaos.submitted++;
    const isShortLived = number % SHORT_LIVED === SHORT_LIVED - 1;
    try {
      const { path } = references[number % references.length]!.recording;
      const deleteAfterSeconds = isShortLived ? 0 : KEEP_SECONDS;
      const asked = { metadata: name + number, deleteAfterSeconds, notification: receiver };
      const { id } = await transcription.submit({ path }, asked);
      accepted.push({ id, isShortLived });
      // The audit finds a job that failed or is gone.
      await transcription.waitFor(id, { signal, maxOutageMs: OUTAGE_SECONDS * 1000 }).catch(() => {});
    } catch {
      chaos.refused++;
      await delay(RETRY_MS, { clock, signal }).catch(() => {});
    }
  }
}
