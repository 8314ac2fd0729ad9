import { type Clock, systemClock } from '../../base/clock.ts';
import { requirePositive } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { type BrandNames, brandNames, DEFAULT_BRAND } from '../../protocol/interfaceNames.ts';
import { checkedTokenOption, serviceAddress } from '../serviceAccess.ts';

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Base address of the service: `http:` or `https:`; `ws:` and `wss:` are equivalent. */
  readonly url: string | URL;
  /** Access token, or a function that returns one, or a response with one, called for each request. */
  readonly token: string | (() => string | Response | Promise<string | Response>);
  /** Brand word of the service in paths and media types. Default `svc`. */
  readonly brand?: string;
  /** Aborting it ends all calls of the client. */
  readonly signal?: AbortSignal;
  /** Longest time without any data sent or received. Default 60,000. */
  readonly timeoutMs?: number;
  /** Largest accepted response. Default 67,108,864, about a hundred hours of transcript. */
  readonly maxAnswerBytes?: number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Defaults of {@link ClientOptions}. */
export const CLIENT_DEFAULTS = {
  brand: DEFAULT_BRAND,
  timeoutMs: 60_000,
  maxAnswerBytes: 64 * 1024 * 1024,
} as const;

/** Options with all defaults filled in. */
export interface ClientSettings
  extends Required<Pick<ClientOptions, 'token' | 'timeoutMs' | 'maxAnswerBytes' | 'clock'>>,
    Pick<ClientOptions, 'signal'> {
  readonly address: URL;
  readonly names: BrandNames;
}

/**
 * Checks options and fills in the defaults.
 *
 * @throws InvalidArgumentError
 */
export function clientSettings(options: ClientOptions): ClientSettings {
  namedOptions('ClientOptions', options);
  const { url, token, brand, signal, clock } = options;
  return {
    address: serviceAddress(url, 'http'),
    token: checkedTokenOption(token),
    names: brandNames(brand ?? CLIENT_DEFAULTS.brand),
    signal,
    timeoutMs: requirePositive('timeoutMs', options.timeoutMs ?? CLIENT_DEFAULTS.timeoutMs),
    maxAnswerBytes: requirePositive(
      'maxAnswerBytes',
      options.maxAnswerBytes ?? CLIENT_DEFAULTS.maxAnswerBytes,
    ),
    clock: clock ?? systemClock,
  };
}

/** Options of every call. */
export interface CallOptions {
  /** Aborting it ends the call with its reason as the error. */
  readonly signal?: AbortSignal;
}

/** Returns a signal that is aborted when one of the two is. */
export function eitherSignal(first?: AbortSignal, second?: AbortSignal): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second);
}

export interface ListOptions extends CallOptions {
  /** Maximum number of jobs on a page, 0 to 1000. Default 100. */
  readonly limit?: number;
  /** Id of the last job of the previous page. Default: starts with the newest job. */
  readonly startingAfter?: string;
}
