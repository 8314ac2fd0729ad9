import { InvalidArgumentError } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { DEFAULT_BRAND, STREAM_PATH } from '../../protocol/interfaceNames.ts';
import { type Client, createClient } from '../jobs/createClient.ts';
import type { NotificationReceiver } from '../jobs/notificationReceiver.ts';
import { publicAddress, serviceAddress } from '../serviceAccess.ts';
import { type Fallback, type FallbackContext, MARGIN_SECONDS, type Repairs } from '../stream/fallback.ts';
import type { HoleJobOptions, RepairProgress } from './holeJob.ts';
import { createHoleRepairer, type EarlierJob } from './holeRepairer.ts';
import { createHoleRepairs } from './holeRepairs.ts';
import type { Transcriber } from './jobPlan.ts';

export interface AsyncFallbackOptions {
  /** Seconds of audio on both sides of a hole that its job gets as well. Default 2. */
  readonly marginSeconds?: number;
  /** True to stream nothing, so that all audio goes to jobs. Default false. */
  readonly asyncOnly?: boolean;
  /** Receiver of notifications when jobs end; the service must be able to reach it. Default: jobs are polled. */
  readonly receiver?: Pick<NotificationReceiver, 'url' | 'ended'>;
  /**
   * Seconds of waiting in all, for each hole, while the service is unreachable or the account has no credit left.
   * Default 21,600 (six hours).
   */
  readonly retryForSeconds?: number;
  /** Seconds of audio of one job at most; a longer hole goes to several. Default 61,200, the limit of services. */
  readonly maxJobSeconds?: number;
  /** Brand word of the service in media types. Default `svc`. */
  readonly brand?: string;
  /** Called as the audio of a hole is uploaded and transcribed. */
  readonly onProgress?: (progress: RepairProgress) => void;
}

/** Defaults of {@link AsyncFallbackOptions}. */
export const ASYNC_FALLBACK_DEFAULTS = {
  marginSeconds: MARGIN_SECONDS,
  asyncOnly: false,
  retryForSeconds: 6 * 3600,
  maxJobSeconds: 17 * 3600,
  brand: DEFAULT_BRAND,
} as const;

/** Options with all defaults filled in. */
export interface RepairSettings
  extends Required<Omit<AsyncFallbackOptions, 'asyncOnly' | 'receiver' | 'onProgress'>>,
    Pick<AsyncFallbackOptions, 'receiver' | 'onProgress'> {
  /** Default: the machine. */
  readonly transcriber?: Transcriber | undefined;
  /** Jobs of another process. */
  readonly earlierJobs?: readonly EarlierJob[];
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError
 */
export function fallbackSettings(options: Omit<AsyncFallbackOptions, 'asyncOnly'>): RepairSettings {
  const defaults = ASYNC_FALLBACK_DEFAULTS;
  const marginSeconds = numberFrom(0, 'marginSeconds', options.marginSeconds ?? defaults.marginSeconds);
  const { retryForSeconds = defaults.retryForSeconds, maxJobSeconds = defaults.maxJobSeconds } = options;
  return {
    marginSeconds,
    retryForSeconds: numberFrom(0, 'retryForSeconds', retryForSeconds),
    // More than both margins, which would otherwise leave no room for the hole.
    maxJobSeconds: numberFrom(2 * marginSeconds + 1, 'maxJobSeconds', maxJobSeconds),
    brand: options.brand ?? defaults.brand,
    receiver: options.receiver,
    onProgress: options.onProgress,
  };
}

function numberFrom(least: number, name: string, value: number): number {
  if (value >= least) return value;
  throw new InvalidArgumentError(`Option '${name}' must be at least ${least}, not ${value}.`);
}

/**
 * Creates a fallback that gets the text of unstreamed audio from asynchronous jobs: the `fallback` of {@link transcribe}.
 *
 * Each hole is cut from the audio with margins, submitted with the options of the stream, and its text put in place. Gaps of
 * the source are silence in the job. A job that the service would delete within 300 s of its end is kept for 300 s at most,
 * since its transcript could not be fetched otherwise, and deleted once its transcript is here.
 *
 * @throws InvalidArgumentError for numbers out of range
 * @example
 * source$.pipe(transcribe({ url, token, fallback: asyncFallback() })).subscribe(event => console.log(event));
 */
export function asyncFallback(options: AsyncFallbackOptions = {}): Fallback {
  namedOptions('AsyncFallbackOptions', options);
  const settings = fallbackSettings(options);
  return {
    marginSeconds: settings.marginSeconds,
    asyncOnly: options.asyncOnly ?? ASYNC_FALLBACK_DEFAULTS.asyncOnly,
    start: context => startRepairs(context, settings),
  };
}

/** Starts to repair a transcript by jobs of the services of a stream. */
export function startRepairs(context: FallbackContext, settings: RepairSettings): Repairs {
  const { clock, status } = context;
  const { marginSeconds, maxJobSeconds, retryForSeconds, receiver, onProgress, earlierJobs } = settings;
  const { transcriber } = settings;
  const closing = new AbortController();
  const shared = {
    addresses: context.addresses.map(jobsAddress),
    clientOf: clientsOf(context, settings.brand),
    transcriber,
    receiver,
    onProgress,
  };
  const repairer = createHoleRepairer({
    context,
    marginSeconds,
    maxJobSeconds,
    earlierJobs,
    jobs: (range, query): HoleJobOptions => ({
      ...shared,
      query,
      retry: {
        clock,
        signal: closing.signal,
        maxWaitMs: retryForSeconds * 1000,
        onWait: (error, delayMs) => status({ type: 'repair-delayed', ...range, delayMs, error }),
      },
    }),
  });
  const human = transcriber === 'human';
  const waitsForPeople = human || (earlierJobs ?? []).some(job => job.transcriber === 'human');
  return createHoleRepairs({ context, repairer, closing, human, waitsForPeople });
}

function clientsOf({ token, clock }: FallbackContext, brand: string): (address: string) => Client {
  const clients = new Map<string, Client>();
  return url => {
    const client = clients.get(url) ?? createClient({ url, token, brand, clock });
    clients.set(url, client);
    return client;
  };
}

/** Returns the base address for jobs of a service, without query; the address of its stream will do. */
export function jobsAddress(address: string | URL): string {
  const base = publicAddress(serviceAddress(address, 'http')).replace(/\/$/, '');
  return base.endsWith(STREAM_PATH) ? base.slice(0, -STREAM_PATH.length) : base;
}
