import { Readable } from 'node:stream';
import type { FrameRange } from '../../audio/format/frameRange.ts';
import { type ErrorCode, RxscribeError } from '../../base/errors.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { Client } from '../jobs/createClient.ts';
import type { NotificationReceiver } from '../jobs/notificationReceiver.ts';
import { JobFailedError, NotFoundError } from '../jobs/requestErrors.ts';
import { isRetryable, ServiceError } from '../serviceErrors.ts';
import type { AudioCut } from './cutAudio.ts';
import { type JobPlan, jobPlan } from './jobPlan.ts';
import { keepTrying, type Patience } from './keepTrying.ts';

/** A job, and the service that has it. */
export interface SubmittedJob {
  readonly jobId: string;
  /** Base address, without token. */
  readonly address: string;
}

/** How far the repair of a hole is. */
export type RepairProgress = FrameRange &
  (
    | { readonly type: 'uploading'; readonly sentBytes: number; readonly totalBytes: number }
    /** 0 to 100, where the service says so. */
    | { readonly type: 'transcribing'; readonly percent?: number }
  );

export interface HoleJobOptions {
  /** Base addresses, the best first. */
  readonly addresses: readonly string[];
  readonly clientOf: (address: string) => Client;
  readonly query: Omit<StreamQuery, 'contentType'>;
  readonly patience: Patience;
  /** Is told of the ends of jobs. */
  readonly receiver?: Pick<NotificationReceiver, 'url' | 'ended'>;
  readonly onProgress?: (progress: RepairProgress) => void;
}

/** One hole, or a part of a long one. */
export interface HolePart {
  readonly range: FrameRange;
  readonly cut: AudioCut;
  /** Hz. */
  readonly sampleRate: number;
  /** What another process submitted for it. */
  readonly earlier?: SubmittedJob;
  readonly onSubmitted: (job: SubmittedJob) => void;
}

export interface HoleResult extends SubmittedJob {
  readonly transcript: Transcript;
  /** To be called when the transcript is safe: deletes the job that was to be gone by now. Never rejects. */
  tidy(): Promise<void>;
}

/** How long a service that has a job may be away, where there is another one to give the audio to. */
const MAX_AWAY_MS = 600_000;
/** How long a job may take: longer than a queue and a slow recogniser do, or it never ends. */
const JOB_LIMIT = { baseSeconds: 600, timesAudio: 10 } as const;
/** For one look at a job. */
const LOOK_MS = 60_000;

/**
 * Has audio transcribed by a job. What may pass is waited out, but a service that is away for {@link MAX_AWAY_MS} loses
 * the job to the next one. A job that is gone before its transcript was fetched, or that does not end, is submitted once
 * more, one of another process also when it failed.
 *
 * @throws JobFailedError; ServiceError; RxscribeError `timeout` for a job that does not end; the signal's reason
 */
export function transcribeCut(part: HolePart, options: HoleJobOptions): Promise<HoleResult> {
  const job = new HoleJob(part, options);
  return keepTrying(() => job.attempt(), options.patience);
}

class HoleJob {
  readonly #part: HolePart;
  readonly #options: HoleJobOptions;
  #plan: JobPlan;
  #job: SubmittedJob | undefined;
  /** On the clock's time, for the job. */
  #endMs: number;
  #awaySinceMs: number | undefined;
  /** Submissions, in the order of the addresses. */
  #round = 0;
  /** Reasons for which a job of this process was replaced: each is one only once. */
  readonly #replacedFor = new Set<ErrorCode>();

  constructor(part: HolePart, options: HoleJobOptions) {
    this.#part = part;
    this.#options = options;
    this.#plan = jobPlan(options.query);
    this.#job = part.earlier;
    this.#endMs = this.#limitMs();
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

  /** Whether another job may do what this one did not. */
  #mayReplace(job: SubmittedJob, error: RxscribeError): boolean {
    if (job === this.#part.earlier) return true;
    if (error instanceof JobFailedError || this.#replacedFor.has(error.code)) return false;
    this.#replacedFor.add(error.code);
    // The account may delete jobs at their end: the next one is to stay until it is fetched.
    if (error instanceof NotFoundError)
      this.#plan = jobPlan({ ...this.#options.query, deleteAfterSeconds: 0 });
    return true;
  }

  /** To the next address. When the service comes back, the job is there for nobody, and is deleted as its kind are. */
  #leaveIfAway({ address }: SubmittedJob): void {
    const { addresses, patience } = this.#options;
    const nowMs = patience.clock.now();
    this.#awaySinceMs ??= nowMs;
    if (nowMs - this.#awaySinceMs < Math.min(MAX_AWAY_MS, patience.maxWaitMs / 2)) return;
    if (addresses.every(other => other === address)) return;
    this.#job = undefined;
    // Of an address that is none of these, the first one.
    this.#round = addresses.indexOf(address) + 1;
  }

  #limitMs(): number {
    const { cut, sampleRate } = this.#part;
    const audioSeconds = (cut.endFrame - cut.startFrame) / sampleRate;
    const limitSeconds = JOB_LIMIT.baseSeconds + JOB_LIMIT.timesAudio * audioSeconds;
    return this.#options.patience.clock.now() + limitSeconds * 1000;
  }

  async #submit(): Promise<SubmittedJob> {
    const { addresses } = this.#options;
    const address = addresses[this.#round++ % addresses.length]!;
    const { range, cut, onSubmitted } = this.#part;
    const { clientOf, receiver, patience, onProgress } = this.#options;
    const { size: totalBytes, bytes } = cut.file;
    const name = `frames ${range.startFrame} to ${range.endFrame}.wav`;
    const { id: jobId } = await clientOf(address).transcription.submit(
      { data: Readable.from(bytes), size: totalBytes, name, contentType: 'audio/wav' },
      {
        ...this.#plan.options,
        ...(receiver && { notification: receiver }),
        signal: patience.signal,
        onProgress: ({ sentBytes }) => onProgress?.({ ...range, type: 'uploading', sentBytes, totalBytes }),
      },
    );
    const job = { jobId, address };
    this.#job = job;
    this.#awaySinceMs = undefined;
    this.#endMs = this.#limitMs();
    onSubmitted(job);
    return job;
  }

  async #transcriptOf({ jobId, address }: SubmittedJob): Promise<Transcript> {
    const { clientOf, receiver, patience, onProgress } = this.#options;
    const { transcription } = clientOf(address);
    const { range } = this.#part;
    const { signal, clock } = patience;
    await transcription.waitFor(jobId, {
      signal,
      // Of a service that was away, one look at least is waited for.
      timeoutMs: Math.max(LOOK_MS, Math.ceil((this.#endMs - clock.now()) / 1000) * 1000),
      // Outages are waited out in one place, for all that is asked of a service.
      maxOutageMs: 0,
      ...(receiver && { receiver }),
      onProgress: ({ progress: percent }) => {
        this.#awaySinceMs = undefined;
        onProgress?.({ ...range, type: 'transcribing', ...(percent !== undefined && { percent }) });
      },
    });
    return transcription.transcript(jobId, { signal });
  }

  async #tidy({ jobId, address }: SubmittedJob): Promise<void> {
    const { clientOf, patience } = this.#options;
    if (!this.#plan.isDeleted) return;
    // If it fails, the service deletes it soon.
    await clientOf(address)
      .transcription.delete(jobId, { signal: patience.signal })
      .catch(() => {});
  }
}

/** There is nothing more to wait for. */
function isEndOfJob(error: unknown): error is RxscribeError {
  if (error instanceof NotFoundError || error instanceof JobFailedError) return true;
  // A request that was not answered in time is another thing.
  return error instanceof RxscribeError && error.code === 'timeout' && !(error instanceof ServiceError);
}
