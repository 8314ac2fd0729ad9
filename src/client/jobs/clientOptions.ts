import { type Clock, systemClock } from '../../base/clock.ts';
import { requirePositive } from '../../base/errors.ts';
import { type BrandNames, brandNames, NEUTRAL_BRAND } from '../../protocol/interfaceNames.ts';
import { serviceAddress } from '../serviceAccess.ts';

/** Which service a client speaks to, and how long it waits. */
export interface ClientOptions {
  /** Base address of the service; `http:` or `https:`, also `ws:` or `wss:` for the same. */
  readonly url: string | URL;
  /** Access token, or what gets one; that is called for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** The service's word in paths and media types. Default `svc`. */
  readonly brand?: string;
  /** Aborting ends everything that the client does. */
  readonly signal?: AbortSignal;
  /** The longest time in which nothing arrives and nothing is sent. Default 60,000. */
  readonly timeoutMs?: number;
  /** The longest answer that is taken. Default 67,108,864, some hundred hours of transcript. */
  readonly maxAnswerBytes?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Defaults of {@link ClientOptions}. */
export const CLIENT_DEFAULTS = {
  brand: NEUTRAL_BRAND,
  timeoutMs: 60_000,
  maxAnswerBytes: 64 * 1024 * 1024,
} as const;

/** Options with all defaults filled in. */
export interface ClientSettings {
  readonly address: URL;
  readonly token: ClientOptions['token'];
  readonly names: BrandNames;
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly clock: Clock;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError
 */
export function clientSettings(options: ClientOptions): ClientSettings {
  const { url, token, brand, signal, clock } = options;
  return {
    address: serviceAddress(url, 'http'),
    token,
    names: brandNames(brand ?? CLIENT_DEFAULTS.brand),
    ...(signal && { signal }),
    timeoutMs: requirePositive('timeoutMs', options.timeoutMs ?? CLIENT_DEFAULTS.timeoutMs),
    maxAnswerBytes: requirePositive(
      'maxAnswerBytes',
      options.maxAnswerBytes ?? CLIENT_DEFAULTS.maxAnswerBytes,
    ),
    clock: clock ?? systemClock,
  };
}

/** For every call. */
export interface CallOptions {
  /** Aborting ends the call, with the reason as its error. */
  readonly signal?: AbortSignal;
}

/** A signal that is aborted when one of the two is. */
export function eitherSignal(first?: AbortSignal, second?: AbortSignal): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}

export interface ListOptions extends CallOptions {
  /** How many at once, 0 to 1000. Default 100. */
  readonly limit?: number;
  /** Id of the job before those that are wanted. Default: the newest is the first. */
  readonly startingAfter?: string;
}
