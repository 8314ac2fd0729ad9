import type { Sentiment } from '../../protocol/results.ts';
import type {
  AlignmentSubmission,
  LanguageIdSubmission,
  LegacySubmission,
  SentimentSubmission,
  SpeechToTextSubmission,
} from '../../protocol/submissions.ts';
import type { Vocabulary } from '../../protocol/vocabularies.ts';
import type { Camel } from '../../protocol/wireNames.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { CallOptions, ListOptions } from './clientOptions.ts';
import type {
  AccountBalance,
  Job,
  LanguageIdResult,
  LegacyJob,
  SentimentResult,
  VocabularyRecord,
} from './jobTypes.ts';
import type { Address, DataSource, FileSource, MediaSource } from './mediaSource.ts';
import type { UploadProgress } from './requestBody.ts';
import type { WaitOptions } from './waitFor.ts';

/** The areas of a service, and the options of their submissions. */

/** Operations on the jobs of an area. */
export interface JobArea<SomeJob> {
  get(id: string, options?: CallOptions): Promise<SomeJob>;
  /** Returns one page of the recent jobs, newest first. */
  list(options?: ListOptions): Promise<readonly SomeJob[]>;
  /** Yields all recent jobs, newest first; fetches pages on demand. */
  listAll(options?: ListOptions): AsyncGenerator<SomeJob, void, undefined>;
  /**
   * Resolves when a job is done.
   *
   * @throws JobFailedError when the job failed; RxscribeError `timeout`; the signal's reason
   */
  waitFor(job: string | { readonly id: string }, options?: WaitOptions<SomeJob>): Promise<SomeJob>;
}

/** Deletion of jobs that have ended. */
export interface DeletableJobs {
  /** Deletes a job with all its data. @throws InvalidJobStateError while it is in progress */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** Transcripts of jobs that are done. */
export interface Transcripts {
  /** Resolves with the transcript. @throws InvalidJobStateError unless the job is done; NotFoundError */
  transcript(id: string, options?: CallOptions): Promise<Transcript>;
}

export interface TextTranscripts {
  /** Resolves with the transcript as text, one line per turn with speaker and time. @throws InvalidJobStateError, NotFoundError */
  transcriptText(id: string, options?: CallOptions): Promise<string>;
}

/** The notification about the end of a job. */
export interface NotificationOption {
  /** Address for the notification, or a receiver. */
  readonly notification?: Address;
}

/** Options of submissions with media. */
export interface UploadOptions extends CallOptions, NotificationOption {
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** Fields that are set from the source and the options above. */
type AddressFields = 'sourceConfig' | 'mediaUrl' | 'notificationConfig' | 'callbackUrl';

/** Options of a transcription. */
export interface TranscriptionOptions
  extends UploadOptions,
    Omit<Camel<SpeechToTextSubmission>, AddressFields> {}

export interface CaptionsOptions extends CallOptions {
  /** Default `srt`. */
  readonly format?: 'srt' | 'vtt';
  /** Channel of the captions; required for jobs with `speakerChannelsCount`. */
  readonly speakerChannel?: number;
}

/** Asynchronous speech-to-text; ended live sessions are also jobs of this area. */
export interface TranscriptionArea extends JobArea<Job>, DeletableJobs, Transcripts, TextTranscripts {
  /**
   * Submits media and resolves with the new job.
   *
   * @throws InvalidParametersError, OutOfCreditError, PayloadTooLargeError
   * @example
   * import { createClient } from 'rxscribe';
   *
   * const client = createClient({ url: 'http://127.0.0.1:8080', token: 'secret' });
   * const job = await client.transcription.submit({ path: 'talk.wav' }, { removeDisfluencies: true });
   */
  submit(source: MediaSource, options?: TranscriptionOptions): Promise<Job>;
  /** Resolves with the captions of a job, in SRT or WebVTT. @throws InvalidJobStateError, NotFoundError */
  captions(id: string, options?: CaptionsOptions): Promise<string>;
}

/** An address without authorization, which the legacy interface does not support. */
export type OpenAddress = Pick<Address, 'url'>;

export interface LegacyOptions
  extends CallOptions,
    Omit<Camel<LegacySubmission>, 'mediaUrl' | 'callbackUrl' | 'notificationConfig'> {
  /** Address to which the service posts a notification when the job has ended. */
  readonly notification?: OpenAddress;
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** The older interface of speech-to-text, with slightly different fields and texts. */
export interface LegacyArea extends JobArea<LegacyJob>, Transcripts, TextTranscripts {
  submit(source: OpenAddress | FileSource | DataSource, options?: LegacyOptions): Promise<LegacyJob>;
  account(options?: CallOptions): Promise<AccountBalance>;
}

export interface LanguageIdOptions extends UploadOptions, Omit<Camel<LanguageIdSubmission>, AddressFields> {}

/** Identification of the spoken language. */
export interface LanguageIdArea extends JobArea<Job>, DeletableJobs {
  submit(source: MediaSource, options?: LanguageIdOptions): Promise<Job>;
  /** Returns the languages with their confidences, most probable first. @throws InvalidJobStateError, NotFoundError */
  result(id: string, options?: CallOptions): Promise<LanguageIdResult>;
}

export interface AlignmentOptions
  extends UploadOptions,
    Omit<Camel<AlignmentSubmission>, AddressFields | 'sourceTranscriptConfig' | 'transcriptText'> {
  /** The spoken words, separated by white space, or the address of a text file with them. */
  readonly text: string | Address;
}

/** Forced alignment: the times of the words of a known text. */
export interface AlignmentArea extends JobArea<Job>, DeletableJobs, Transcripts {
  submit(source: MediaSource, options: AlignmentOptions): Promise<Job>;
}

export interface SentimentOptions
  extends CallOptions,
    NotificationOption,
    Omit<Camel<SentimentSubmission>, AddressFields | 'text' | 'json'> {}

export interface SentimentResultOptions extends CallOptions {
  /** Returns only messages of this sentiment. Default: all. */
  readonly filterFor?: Sentiment;
}

/** Sentiment analysis of text. */
export interface SentimentArea extends JobArea<Job>, DeletableJobs {
  /** Submits plain text, or a transcript; messages of a transcript have times. */
  submit(text: string | Transcript, options?: SentimentOptions): Promise<Job>;
  /** @throws InvalidJobStateError, NotFoundError */
  result(id: string, options?: SentimentResultOptions): Promise<SentimentResult>;
}

export interface VocabularyOptions extends CallOptions, NotificationOption {
  /** Free text that is echoed in the vocabulary. */
  readonly metadata?: string;
}

/** Custom vocabularies for jobs and streams. */
export interface VocabulariesArea extends JobArea<VocabularyRecord>, DeletableJobs {
  /** Submits phrases. Once complete, pass the id as `customVocabularyId` of jobs and streams. */
  submit(
    vocabularies: readonly (Vocabulary | string)[],
    options?: VocabularyOptions,
  ): Promise<VocabularyRecord>;
}
