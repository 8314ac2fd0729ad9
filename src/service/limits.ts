import { MAX_SESSION_SECONDS } from '../protocol/limits.ts';

/** Limits on HTTP requests. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number;
  /** Bytes of a JSON body that contains a whole transcript. */
  readonly longBodyBytes: number;
  /** Bytes of a JSON body that contains custom vocabularies. */
  readonly vocabularyBodyBytes: number;
  /** Bytes of all JSON bodies of one account in memory at the same time. */
  readonly accountBodiesBytes: number;
  /** Bytes of all JSON bodies in memory at the same time. */
  readonly bodiesBytes: number;
  /** Milliseconds for a JSON body to arrive; checked after each {@link bodySpanMs}. */
  readonly bodyMs: number;
  /** Bytes of a form with media. */
  readonly uploadBytes: number;
  /** Forms that one account may upload at the same time. */
  readonly uploadsPerAccount: number;
  /** Bytes of the request line and all headers. */
  readonly headerBytes: number;
  /** Milliseconds for all headers to arrive. */
  readonly headersTimeoutMs: number;
  /** Milliseconds within which at least {@link bodySpanBytes} of a body must arrive, or its end. */
  readonly bodySpanMs: number;
  readonly bodySpanBytes: number;
  /** Milliseconds for which the rest of an unwanted body is read, so that its client gets to read the answer. */
  readonly lingerMs: number;
  /** Bytes of such a rest that are read. */
  readonly lingerBytes: number;
  /** Milliseconds between two checks for requests that take too long. */
  readonly checkIntervalMs: number;
  /** Milliseconds after which a connection without traffic is dropped. */
  readonly connectionTimeoutMs: number;
}

/** Limits on streaming clients. */
export interface StreamLimits {
  /** Bytes of one message; a longer one closes with 1009. One message may hold 35 minutes of 16 kHz mono. */
  readonly messageBytes: number;
  /** Bytes of audio of one stream that may wait for the recogniser; above, reading pauses. */
  readonly waitingBytes: number;
  /** Bytes of waiting audio of all streams of an account. One planar message must fit. */
  readonly accountBacklogBytes: number;
  /** Bytes of waiting audio of all streams. */
  readonly backlogBytes: number;
  /** Bytes passed to the decoder at once. */
  readonly sliceBytes: number;
  /** Bytes waiting for a client that does not read; above, partials are left out. */
  readonly unsentBytes: number;
  /** Milliseconds without audio after which a session ends. */
  readonly idleMs: number;
  readonly sessionMs: number;
  /** Milliseconds between two pings; a client that leaves two of them unanswered is gone. */
  readonly heartbeatMs: number;
  /** Milliseconds without progress after which a recogniser has failed. */
  readonly stallMs: number;
  /** Milliseconds for the client to answer a close. */
  readonly closeTimeoutMs: number;
}

/** Limits on one account, unless it has limits of its own. */
export interface AccountLimits {
  /** Streaming sessions at the same time. */
  readonly streams: number;
  /** Jobs in progress at the same time. */
  readonly jobsInProgress: number;
  /** HTTP requests per second, on average. */
  readonly requestsPerSecond: number;
  /** HTTP requests at once after a pause. */
  readonly requestBurst: number;
}

/** Limits on one remote address that presents invalid tokens. */
export interface GuessLimits {
  /** Guesses per second, on average. */
  readonly perSecond: number;
  /** Guesses at once after a pause. */
  readonly burst: number;
}

/** Limits on the media of a job. */
export interface JobLimits {
  /** Shorter media is refused: no word is that short. */
  readonly minMediaSeconds: number;
  readonly maxMediaSeconds: number;
  /** Bytes of downloaded media. */
  readonly mediaBytes: number;
  /** Milliseconds for the download of media or a text. */
  readonly downloadMs: number;
}

/** Limits of a service. */
export interface ServiceLimits {
  readonly http: HttpLimits;
  readonly stream: StreamLimits;
  readonly jobs: JobLimits;
  readonly account: AccountLimits;
  readonly guesses: GuessLimits;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

export const LIMIT_DEFAULTS: ServiceLimits = {
  http: {
    bodyBytes: MIB,
    longBodyBytes: 16 * MIB,
    vocabularyBodyBytes: 32 * MIB,
    accountBodiesBytes: 64 * MIB,
    bodiesBytes: 192 * MIB,
    bodyMs: 180_000,
    uploadBytes: 2 * GIB,
    uploadsPerAccount: 20,
    headerBytes: 16 * KIB,
    headersTimeoutMs: 15_000,
    bodySpanMs: 30_000,
    bodySpanBytes: 32 * KIB,
    lingerMs: 10_000,
    lingerBytes: 64 * MIB,
    checkIntervalMs: 2000,
    connectionTimeoutMs: 60_000,
  },
  stream: {
    messageBytes: 64 * MIB,
    waitingBytes: MIB,
    accountBacklogBytes: 80 * MIB,
    backlogBytes: 256 * MIB,
    sliceBytes: 32 * KIB,
    unsentBytes: 4 * MIB,
    idleMs: 15_000,
    sessionMs: MAX_SESSION_SECONDS * 1000,
    heartbeatMs: 15_000,
    stallMs: 60_000,
    closeTimeoutMs: 5000,
  },
  jobs: {
    minMediaSeconds: 0.1,
    maxMediaSeconds: 17 * 3600,
    mediaBytes: 2048 * MIB,
    downloadMs: 3_600_000,
  },
  account: {
    streams: 10,
    jobsInProgress: 20_000,
    requestsPerSecond: 50,
    requestBurst: 200,
  },
  guesses: { perSecond: 1, burst: 100 },
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
