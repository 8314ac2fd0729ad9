import { MAX_SESSION_SECONDS } from '../protocol/limits.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const HTTP = {
  /** Bytes of a JSON body. */
  bodyBytes: MIB,
  /** Bytes of a JSON body that contains a whole transcript. */
  longBodyBytes: 16 * MIB,
  /** Bytes of a JSON body that contains custom vocabularies. */
  vocabularyBodyBytes: 32 * MIB,
  /** Bytes of all JSON bodies of one account in memory at the same time. */
  accountBodiesBytes: 64 * MIB,
  /** Bytes of all JSON bodies in memory at the same time. */
  bodiesBytes: 192 * MIB,
  /** Milliseconds for a JSON body to arrive; checked after each {@link HttpLimits.bodySpanMs}. */
  bodyMs: 180_000,
  /** Bytes of a form with media. */
  uploadBytes: 2 * GIB,
  /** Forms that one account may upload at the same time. */
  uploadsPerAccount: 20,
  /** Bytes of the request line and all headers. */
  headerBytes: 16 * KIB,
  /** Milliseconds for all headers to arrive. */
  headersTimeoutMs: 15_000,
  /** Milliseconds within which at least {@link HttpLimits.bodySpanBytes} of a body must arrive, or its end. */
  bodySpanMs: 30_000,
  bodySpanBytes: 32 * KIB,
  /** Milliseconds for which the rest of an unwanted body is read, so that its client gets to read the answer. */
  lingerMs: 10_000,
  /** Bytes of such a rest that are read. */
  lingerBytes: 64 * MIB,
  /** Milliseconds between two checks for requests that take too long. */
  checkIntervalMs: 2000,
  /** Milliseconds after which a connection without traffic is dropped. */
  connectionTimeoutMs: 60_000,
};

const STREAM = {
  /** Bytes of one message; a longer one closes with 1009. One message may hold 35 minutes of 16 kHz mono. */
  messageBytes: 64 * MIB,
  /** Bytes of audio of one stream that may wait for the recogniser; above, reading pauses. */
  waitingBytes: MIB,
  /** Bytes of waiting audio of all streams of an account. One planar message must fit. */
  accountBacklogBytes: 80 * MIB,
  /** Bytes of waiting audio of all streams. */
  backlogBytes: 256 * MIB,
  /** Bytes passed to the decoder at once. */
  sliceBytes: 32 * KIB,
  /** Bytes waiting for a client that does not read; above, partials are left out. */
  unsentBytes: 4 * MIB,
  /** Milliseconds without audio after which a session ends. */
  idleMs: 15_000,
  sessionMs: MAX_SESSION_SECONDS * 1000,
  /** Milliseconds between two pings; a client that leaves two of them unanswered is gone. */
  heartbeatMs: 15_000,
  /** Milliseconds without progress after which a recogniser has failed. */
  stallMs: 60_000,
  /** Milliseconds for the client to answer a close. */
  closeTimeoutMs: 5000,
};

const JOBS = {
  /** Shorter media is refused: no word is that short. */
  minMediaSeconds: 0.1,
  maxMediaSeconds: 17 * 3600,
  /** Bytes of downloaded media. */
  mediaBytes: 2048 * MIB,
  /** Milliseconds for the download of media or a text. */
  downloadMs: 3_600_000,
};

const ACCOUNT = {
  /** Streaming sessions at the same time. */
  streams: 10,
  /** Jobs in progress at the same time. */
  jobsInProgress: 20_000,
  /** HTTP requests per second, on average. */
  requestsPerSecond: 50,
  /** Burst size: HTTP requests accepted at once after an idle period. */
  requestBurst: 200,
};

const GUESSES = {
  /** Guesses per second, on average. */
  perSecond: 1,
  /** Burst size: guesses accepted at once after an idle period. */
  burst: 100,
};

/** Limits on HTTP requests. */
export type HttpLimits = Readonly<typeof HTTP>;
/** Limits on streaming clients. */
export type StreamLimits = Readonly<typeof STREAM>;
/** Limits on the media of a job. */
export type JobLimits = Readonly<typeof JOBS>;
/** Limits on one account, unless it has limits of its own. */
export type AccountLimits = Readonly<typeof ACCOUNT>;
/** Limits on one remote address that presents invalid tokens. */
export type GuessLimits = Readonly<typeof GUESSES>;

/** Limits of a service. */
export interface ServiceLimits {
  readonly http: HttpLimits;
  readonly stream: StreamLimits;
  readonly jobs: JobLimits;
  readonly account: AccountLimits;
  readonly guesses: GuessLimits;
}

export const LIMIT_DEFAULTS: ServiceLimits = {
  http: HTTP,
  stream: STREAM,
  jobs: JOBS,
  account: ACCOUNT,
  guesses: GUESSES,
};

/** Some limits of a service. */
export type LimitChanges = { readonly [Kind in keyof ServiceLimits]?: Partial<ServiceLimits[Kind]> };

/** Returns the default limits with some replaced. */
export function limitsWith(changes: LimitChanges = {}): ServiceLimits {
  return {
    http: { ...LIMIT_DEFAULTS.http, ...changes.http },
    stream: { ...LIMIT_DEFAULTS.stream, ...changes.stream },
    jobs: { ...LIMIT_DEFAULTS.jobs, ...changes.jobs },
    account: { ...LIMIT_DEFAULTS.account, ...changes.account },
    guesses: { ...LIMIT_DEFAULTS.guesses, ...changes.guesses },
  };
}
