import { MAX_SESSION_SECONDS } from '../protocol/limits.ts';

/** What the service takes from HTTP clients. */
export interface HttpLimits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number;
  /** Bytes of a JSON body that has a whole transcript in it. */
  readonly longBodyBytes: number;
  /** Bytes of a JSON body that has custom vocabularies in it. */
  readonly vocabularyBodyBytes: number;
  /** Bytes of all JSON bodies of an account that are held at the same time. */
  readonly accountBodiesBytes: number;
  /** The same of all accounts. */
  readonly bodiesBytes: number;
  /** For a JSON body to arrive; looked at after each {@link bodySpanMs}. */
  readonly bodyMs: number;
  /** Bytes of a form with media. */
  readonly uploadBytes: number;
  /** Forms that one account may upload at the same time. */
  readonly uploadsPerAccount: number;
  /** Bytes of the request line and all headers. */
  readonly headerBytes: number;
  /** For all headers to arrive. */
  readonly headersTimeoutMs: number;
  /** In each span of so long at least {@link bodySpanBytes} of a body arrive, or all the rest of it. */
  readonly bodySpanMs: number;
  readonly bodySpanBytes: number;
  /** How long a body that nobody wants is taken in, so that its client gets to read the answer. */
  readonly lingerMs: number;
  /** Bytes of it that are read. */
  readonly lingerBytes: number;
  /** Between two looks for what takes longer. */
  readonly checkIntervalMs: number;
  /** A connection on which nothing moves is dropped after so long. */
  readonly connectionTimeoutMs: number;
}

/** What the service takes from streaming clients. */
export interface StreamLimits {
  /** Bytes of one message; more closes with 1009. A whole file in one message is 35 minutes of 16 kHz mono. */
  readonly messageBytes: number;
  /** Bytes of audio that wait for the recogniser before nothing more of a stream is read. */
  readonly waitingBytes: number;
  /** The same of all streams of an account together. One planar message has to find room in it. */
  readonly accountBacklogBytes: number;
  /** The same of all streams. */
  readonly backlogBytes: number;
  /** Bytes that go to the decoder at once. */
  readonly sliceBytes: number;
  /** Bytes that wait for a client which does not read; above, partials are left out. */
  readonly unsentBytes: number;
  /** Without audio for so long, a session ends. */
  readonly idleMs: number;
  readonly sessionMs: number;
  /** Between two pings; a client that answers two of them with silence is gone. */
  readonly heartbeatMs: number;
  /** A recogniser that takes no audio and gives no end for so long has failed. */
  readonly stallMs: number;
  /** For the client to answer a close. */
  readonly closeTimeoutMs: number;
  /** When the service stops: how long sessions may go on. */
  readonly drainMs: number;
}

/** What one account may do at once, unless it has limits of its own. */
export interface AccountLimits {
  /** Streaming sessions at the same time. */
  readonly streams: number;
  /** Jobs in progress at the same time. */
  readonly jobsInProgress: number;
  /** HTTP requests a second, in the long run. */
  readonly requestsPerSecond: number;
  /** HTTP requests at once, after a pause. */
  readonly requestBurst: number;
}

/** What is taken from one remote address that brings tokens which nobody has. */
export interface GuessLimits {
  /** Guesses a second, in the long run. */
  readonly perSecond: number;
  /** Guesses at once, after a pause. */
  readonly burst: number;
}

/** What the service takes of the media of a job. */
export interface JobLimits {
  /** Shorter media is refused: no word is so short. */
  readonly minMediaSeconds: number;
  readonly maxMediaSeconds: number;
  /** Bytes of media that is fetched. */
  readonly mediaBytes: number;
  /** For media or a text to be fetched. */
  readonly downloadMs: number;
}

/** Every limit of a service. */
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
    checkIntervalMs: 5000,
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
    drainMs: 5000,
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

/** The default limits, with some replaced. */
export function limitsWith(changes: LimitChanges = {}): ServiceLimits {
  return {
    http: { ...LIMIT_DEFAULTS.http, ...changes.http },
    stream: { ...LIMIT_DEFAULTS.stream, ...changes.stream },
    jobs: { ...LIMIT_DEFAULTS.jobs, ...changes.jobs },
    account: { ...LIMIT_DEFAULTS.account, ...changes.account },
    guesses: { ...LIMIT_DEFAULTS.guesses, ...changes.guesses },
  };
}
