import { Readable } from 'node:stream';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import type { StreamOptions } from '../../protocol/streamQuery.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Client } from '../jobs/createClient.ts';
import type { NotificationReceiver } from '../jobs/notificationReceiver.ts';
import { JobFailedError, NotFoundError } from '../jobs/requestErrors.ts';
import { isRetryable, ServiceError } from '../serviceErrors.ts';
import type { AudioCut } from './cutAudio.ts';
import { type JobPlan, jobPlan, type Transcriber } from './jobPlan.ts';
import { keepTrying, type RetryLimits } from './keepTrying.ts';

/** A job, and the service that has it. */
export interface SubmittedJob {
  readonly jobId: string;
  /** Base address, without token. */
  readonly address: string;
  /** Absent for a machine. */
  readonly transcriber?: Transcriber;
}

/** Progress of the repair of a hole. */
export type RepairProgress = FrameRange &
  (
    | { readonly type: 'uploading'; readonly sentBytes: number; readonly totalBytes: number }
    /** `percent`: 0 to 100, where the service reports it. */
    | ({ readonly type: 'transcribing'; readonly percent?: number } & SubmittedJob)
  );

export interface HoleJobOptions {
  /** Base addresses, the best first. */
  readonly addresses: readonly string[];
  readonly clientOf: (address: string) => Client;
  readonly query: StreamOptions;
  /** Default: the machine. */
  readonly transcriber?: Transcriber;
  readonly retry: RetryLimits;
  /** Receiver of notifications when jobs end. */
  readonly receiver?: Pick<NotificationReceiver, 'url' | 'ended'>;
  readonly onProgress?: (progress: RepairProgress) => void;
}

/** A hole, or a part of a long one. */
export interface HolePart {
  readonly range: FrameRange;
  readonly cut: AudioCut;
  /** Hz. */
  readonly sampleRate: number;
  /** Job that an earlier process submitted for this part. */
  readonly earlier?: SubmittedJob;
  readonly onSubmitted: (job: SubmittedJob) => void;
}

export interface HoleResult extends SubmittedJob {
  readonly transcript: Transcript;
  /** Deletes a job that was kept longer than asked for; to be called when the transcript is safe. Never rejects. */
  tidy(): Promise<void>;
}

/** Milliseconds that a service with a job may be unreachable before its audio goes to another service, if there is one. */
const MAX_AWAY_MS = 600_000;
/** Time limit of a job, well above that of a queue and a slow recogniser: a job beyond it will never end. */
const JOB_LIMIT = { baseSeconds: 600, timesAudio: 10 } as const;
/** Milliseconds for one request about a job. */
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Transcribes audio by a job. Transient faults are waited out, but a service that is unreachable for {@link MAX_AWAY_MS}
 * loses the job to the next one. A job that is gone before its transcript was fetched, or that does not end, is submitted once
 * more; a job of an earlier process also when it failed. A job of a person has no time limit; one
 * that this process has submitted is never submitted again.
 *
 * @throws JobFailedError; ServiceError; RxscribeError `timeout` for a job that does not end; the signal's reason
 */
export function transcribeCut(part: HolePart, options: HoleJobOptions): Promise<HoleResult> {
  const job = new HoleJob(part, options);
  return keepTrying(() => job.attempt(), options.retry);
}

class HoleJob {
  readonly #part: HolePart;
  readonly #options: HoleJobOptions;
  #plan: JobPlan;
  #job: SubmittedJob | undefined;
  /** Deadline of the job, in milliseconds of the clock. */
  #endMs: number;
  #awaySinceMs: number | undefined;
  /** Number of submissions, which selects the address. */
  #round = 0;
  /** Error codes for which a job of this process was replaced, each at most once. */
  readonly #replacedFor = new Set<ErrorCode>();

  constructor(part: HolePart, options: HoleJobOptions) {
    this.#part = part;
    this.#options = options;
    this.#plan = jobPlan(options.query, options.transcriber);
    this.#job = part.earlier;
    this.#endMs = this.#limitMs(this.#job?.transcriber);
  }

  async attempt(): Promise<HoleResult> {
    const job = this.#job ?? (await this.#submit());
    try {
      const transcript = await this.#transcriptOf(job);
      return { ...job, transcript, tidy: () => this.#tidy(job) };
    } catch (error) {
      if (isRetryable(error)) this.#leaveIfAway(job);
      if (!isEndOfJob(error)) throw error;
      this.#job = undefined;
      if (!this.#mayReplace(job, error)) throw error;
      return this.attempt();
    }
  }

  /** Returns whether another job may replace one that ended without a transcript. */
  #mayReplace(job: SubmittedJob, error: RxscribeError): boolean {
    if (job === this.#part.earlier) return true;
    if (job.transcriber === 'human') return false;
    if (error instanceof JobFailedError || this.#replacedFor.has(error.code)) return false;
    this.#replacedFor.add(error.code);
    // The account may delete jobs at their end: the next job must stay until its transcript is fetched.
    if (error instanceof NotFoundError)
      this.#plan = jobPlan({ ...this.#options.query, deleteAfterSeconds: 0 });
    return true;
  }

  /** Moves to the next address when a service is unreachable for too long. Its job is left to the retention of that service. */
  #leaveIfAway({ address, transcriber }: SubmittedJob): void {
    if (transcriber === 'human') return;
    const { addresses, retry } = this.#options;
    const nowMs = retry.clock.now();
    this.#awaySinceMs ??= nowMs;
    if (nowMs - this.#awaySinceMs < Math.min(MAX_AWAY_MS, retry.maxWaitMs / 2)) return;
    if (addresses.every(other => other === address)) return;
    this.#job = undefined;
    // If the address is not in the list, this selects the first one.
    this.#round = addresses.indexOf(address) + 1;
  }

  #limitMs(transcriber: Transcriber | undefined): number {
    if (transcriber === 'human') return Number.POSITIVE_INFINITY;
    const { cut, sampleRate } = this.#part;
    const audioSeconds = (cut.endFrame - cut.startFrame) / sampleRate;
    const limitSeconds = JOB_LIMIT.baseSeconds + JOB_LIMIT.timesAudio * audioSeconds;
    return this.#options.retry.clock.now() + limitSeconds * 1000;
  }

  async #submit(): Promise<SubmittedJob> {
    const { addresses } = this.#options;
    const address = addresses[this.#round++ % addresses.length]!;
    const { range, cut, onSubmitted } = this.#part;
    const { clientOf, receiver, retry, onProgress, transcriber } = this.#options;
    const { size: totalBytes, bytes } = cut.file;
    const name = `frames ${range.startFrame} to ${range.endFrame}.wav`;
    const { id: jobId } = await clientOf(address).transcription.submit(
      { data: Readable.from(bytes), size: totalBytes, name, contentType: 'audio/wav' },
      {
        ...this.#plan.options,
        notification: receiver,
        signal: retry.signal,
        onProgress: ({ sentBytes }) => onProgress?.({ ...range, type: 'uploading', sentBytes, totalBytes }),
      },
    );
    const job = { jobId, address, transcriber };
    this.#job = job;
    this.#awaySinceMs = undefined;
    this.#endMs = this.#limitMs(transcriber);
    onSubmitted(job);
    return job;
  }

  async #transcriptOf(job: SubmittedJob): Promise<Transcript> {
    const { jobId, address } = job;
    const { clientOf, receiver, retry, onProgress } = this.#options;
    const { transcription } = clientOf(address);
    const { range } = this.#part;
    const { signal, clock } = retry;
    await transcription.waitFor(jobId, {
      signal,
      // A service that was unreachable gets time for one request at least.
      timeoutMs: Math.max(REQUEST_TIMEOUT_MS, Math.ceil((this.#endMs - clock.now()) / 1000) * 1000),
      // Outages are waited out in one place, for all requests to a service.
      maxOutageMs: 0,
      receiver,
      onProgress: ({ progress: percent }) => {
        this.#awaySinceMs = undefined;
        onProgress?.({ ...range, ...job, type: 'transcribing', percent });
      },
    });
    return transcription.transcript(jobId, { signal });
  }

  async #tidy({ jobId, address }: SubmittedJob): Promise<void> {
    const { clientOf, retry } = this.#options;
    if (!this.#plan.isDeleted) return;
    // If the deletion fails, the service deletes the job soon.
    await clientOf(address)
      .transcription.delete(jobId, { signal: retry.signal })
      .catch(() => {});
  }
}

/** Returns whether an error means that a job will give no transcript. */
function isEndOfJob(error: unknown): error is RxscribeError {
  if (error instanceof NotFoundError || error instanceof JobFailedError) return true;
  // A request that was not answered in time does not mean that.
  return error instanceof RxscribeError && error.code === 'timeout' && !(error instanceof ServiceError);
}
