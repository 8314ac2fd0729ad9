import { InvalidArgumentError } from '../../base/errors.ts';
import { NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import type { NotificationReceiver } from '../jobs/notificationReceiver.ts';
import { MARGIN_SECONDS } from '../stream/fallback.ts';
import type { RepairProgress } from './holeJob.ts';
import type { EarlierJob } from './holeRepairer.ts';

export interface AsyncFallbackOptions {
  /** Audio on both sides of a hole that its job is given as well, in seconds. Default 2. */
  readonly marginSeconds?: number;
  /** Nothing is streamed: all audio goes to jobs. Default false. */
  readonly asyncOnly?: boolean;
  /** Is told of the ends of jobs; the service must reach it. Default: jobs are looked at again and again. */
  readonly receiver?: Pick<NotificationReceiver, 'url' | 'ended'>;
  /**
   * How long is waited in all, for each hole, while the service is away or the account has no credit left, in seconds.
   * Default 21,600: six hours.
   */
  readonly retryForSeconds?: number;
  /** The longest audio of one job, in seconds; a longer hole goes to several. Default 61,200, as services take it. */
  readonly maxJobSeconds?: number;
  /** The service's word in media types. Default `svc`. */
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
  brand: NEUTRAL_BRAND,
} as const;

/** Options with all defaults filled in. */
export interface RepairSettings
  extends Required<Omit<AsyncFallbackOptions, 'asyncOnly' | 'receiver' | 'onProgress'>>,
    Pick<AsyncFallbackOptions, 'receiver' | 'onProgress'> {
  /** Jobs of another process. */
  readonly earlierJobs?: readonly EarlierJob[];
}

/** Checks options and fills in the defaults. @throws InvalidArgumentError */
export function fallbackSettings(options: Omit<AsyncFallbackOptions, 'asyncOnly'>): RepairSettings {
  const defaults = ASYNC_FALLBACK_DEFAULTS;
  const marginSeconds = numberFrom(0, 'marginSeconds', options.marginSeconds ?? defaults.marginSeconds);
  const { retryForSeconds = defaults.retryForSeconds, maxJobSeconds = defaults.maxJobSeconds } = options;
  return {
    marginSeconds,
    retryForSeconds: numberFrom(0, 'retryForSeconds', retryForSeconds),
    // More than the margins, or there would be no room for what is between them.
    maxJobSeconds: numberFrom(2 * marginSeconds + 1, 'maxJobSeconds', maxJobSeconds),
    brand: options.brand ?? defaults.brand,
    receiver: options.receiver,
    onProgress: options.onProgress,
  };
}

function numberFrom(least: number, name: string, value: number): number {
  if (value >= least) return value;
  throw new InvalidArgumentError(`${name}: wanted a number from ${least} on, found ${value}`);
}
