import { type Clock, delay } from '../../base/clock.ts';
import type { Client } from '../../client/jobs/createClient.ts';
import type { Job } from '../../client/jobs/jobTypes.ts';
import { ServiceError } from '../../client/serviceErrors.ts';
import { failureKind, type LoadMeter } from './loadFigures.ts';
import type { Recording } from './loadSpeech.ts';

export interface LoadJobsOptions {
  readonly client: Client;
  readonly recordings: readonly Recording[];
  /** Jobs to submit per minute, whether or not earlier ones have ended. Default: one when another has ended. */
  readonly perMinute?: number;
  readonly meter: LoadMeter;
  readonly language?: string;
  /** Seconds that the service may keep the result of a job. */
  readonly deleteAfterSeconds: number;
  /** Aborting it abandons the jobs in flight. */
  readonly signal: AbortSignal;
}

/** Jobs of a load. */
export interface LoadJobs {
  readonly inFlight: number;
  /** Sets the maximum number of jobs in flight. */
  resize(most: number): void;
  /** Submits no more, and resolves when the jobs in flight have ended. */
  finish(): Promise<void>;
}

/** Milliseconds before the next submission after one that failed, unless the service asks for more. */
const RETRY_MS = 1000;

/** Submits jobs: a fixed number in flight, or at a fixed rate. */
export function startLoadJobs(options: LoadJobsOptions): LoadJobs {
  const { perMinute, meter, signal } = options;
  const { clock } = meter;
  const running = new Set<Promise<void>>();
  let most = 0;
  let submissions = 0;
  let isFinished = false;
  let cancel: (() => void) | undefined;

  function submit(): void {
    const task = runJob(submissions++, options).then(() => {
      running.delete(task);
      if (perMinute === undefined) fill();
    });
    running.add(task);
  }
  function fill(): void {
    while (!isFinished && !signal.aborted && running.size < most) submit();
  }
  function submitOnTime(startMs: number, due: number): void {
    const dueMs = startMs + (due * 60_000) / perMinute!;
    cancel = clock.schedule(dueMs - clock.now(), () => {
      if (running.size < most) submit();
      else meter.record(({ jobs }) => jobs.heldBack++);
      submitOnTime(startMs, due + 1);
    });
  }
  return {
    get inFlight() {
      return running.size;
    },
    resize(next) {
      most = next;
      if (perMinute === undefined) fill();
      else if (!cancel) submitOnTime(clock.now(), 0);
    },
    async finish() {
      isFinished = true;
      cancel?.();
      await Promise.all(running);
    },
  };
}

/** Submits a job and waits for its end; resolves also when it fails. */
async function runJob(number: number, options: LoadJobsOptions): Promise<void> {
  const { client, recordings, meter, language, deleteAfterSeconds, signal } = options;
  const { clock } = meter;
  const { path, seconds } = recordings[number % recordings.length]!;
  const startMs = clock.now();
  try {
    meter.record(({ jobs }) => jobs.submitted++);
    const job = await client.transcription.submit({ path }, { deleteAfterSeconds, signal, language });
    const submittedSeconds = (clock.now() - startMs) / 1000;
    meter.record(({ jobs }) => jobs.submission.add(submittedSeconds));
    const ended = await client.transcription.waitFor(job, { signal });
    const totalSeconds = serviceSeconds(ended) ?? (clock.now() - startMs) / 1000;
    meter.record(tally => {
      tally.jobs.duration.add(totalSeconds);
      tally.jobs.ended++;
      tally.mediaSeconds += seconds;
    });
  } catch (error) {
    if (signal.aborted) return;
    meter.record(({ jobs }) => jobs.failed.add(failureKind(error)));
    await pause(error, clock, signal);
  }
}

/** Returns the seconds that a job took on the clock of the service, which polls cannot blur. */
function serviceSeconds({ createdOn, completedOn }: Job): number | undefined {
  if (completedOn === undefined) return undefined;
  return (Date.parse(completedOn) - Date.parse(createdOn)) / 1000;
}

async function pause(error: unknown, clock: Clock, signal: AbortSignal): Promise<void> {
  const askedSeconds = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0;
  await delay(Math.max(RETRY_MS, askedSeconds * 1000), { clock, signal }).catch(() => {});
}
