import { Readable } from 'node:stream';
import type { FrameRange } from '../../audio/frameRange.ts';
import type { StreamQuery } from '../../protocol/streamQuery.ts';
import type { Transcript } from '../../transcript/model.ts';
import type { Client } from '../jobs/createClient.ts';
import { JobFailedError } from '../jobs/jobFailedError.ts';
import type { NotificationReceiver } from '../jobs/notificationReceiver.ts';
import { NotFoundError } from '../jobs/requestErrors.ts';
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
  /** What another process submitted for it. */
  readonly earlier?: SubmittedJob;
  readonly onSubmitted: (job: SubmittedJob) => void;
}

export interface HoleResult extends SubmittedJob {
  readonly transcript: Transcript;
  /** To be called when the transcript is safe: deletes the job that was to be gone by now. Never rejects. */
  tidy(): Promise<void>;
}

/**
 * Has audio transcribed by a job. What may pass is waited out; a job that is gone before its transcript was fetched is
 * submitted once more, one of another process also when it failed.
 *
 * @throws JobFailedError; ServiceError; the signal's reason
 */
export function transcribeCut(part: HolePart, options: HoleJobOptions): Promise<HoleResult> {
  const job = new HoleJob(part, options);
  return keepTrying(round => job.attempt(round), options.patience);
}

class HoleJob {
  readonly #part: HolePart;
  readonly #options: HoleJobOptions;
  #plan: JobPlan;
  #job: SubmittedJob | undefined;
  #wasGone = false;

  constructor(part: HolePart, options: HoleJobOptions) {
    this.#part = part;
    this.#options = options;
    this.#plan = jobPlan(options.query);
    this.#job = part.earlier;
  }

  async attempt(round: number): Promise<HoleResult> {
    const { addresses } = this.#options;
    this.#job ??= await this.#submit(addresses[round % addresses.length]!);
    const job = this.#job;
    try {
      const transcript = await this.#transcriptOf(job);
      return { ...job, transcript, tidy: () => this.#tidy(job) };
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof JobFailedError)) throw error;
      this.#job = undefined;
      if (!this.#mayReplace(job, error)) throw error;
      return this.attempt(round);
    }
  }

  /** Whether another job may do what this one did not. */
  #mayReplace(job: SubmittedJob, error: NotFoundError | JobFailedError): boolean {
    if (job === this.#part.earlier) return true;
    if (!(error instanceof NotFoundError) || this.#wasGone) return false;
    this.#wasGone = true;
    // The account may delete jobs at their end: the next one is to stay until it is fetched.
    this.#plan = jobPlan({ ...this.#options.query, deleteAfterSeconds: 0 });
    return true;
  }

  async #submit(address: string): Promise<SubmittedJob> {
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
    onSubmitted(job);
    return job;
  }

  async #transcriptOf({ jobId, address }: SubmittedJob): Promise<Transcript> {
    const { clientOf, receiver, patience, onProgress } = this.#options;
    const { transcription } = clientOf(address);
    const { range } = this.#part;
    const { signal } = patience;
    await transcription.waitFor(jobId, {
      signal,
      // Outages are waited out in one place, for all that is asked of a service.
      maxOutageMs: 0,
      ...(receiver && { receiver }),
      onProgress: ({ progress: percent }) =>
        onProgress?.({ ...range, type: 'transcribing', ...(percent !== undefined && { percent }) }),
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
