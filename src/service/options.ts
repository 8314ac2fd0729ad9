import { availableParallelism } from 'node:os';
import type { MeterProvider } from '@opentelemetry/api';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { InvalidArgumentError } from '../base/errors.ts';
import { LOG_DEFAULTS, type LogLevel } from '../base/logLevel.ts';
import { DEFAULT_BRAND, DOORS, type DoorName } from '../protocol/interfaceNames.ts';
import { DRAIN_SECONDS } from '../protocol/limits.ts';
import { checkPublicUrl, isLoopback, trustedProxies } from '../web/requestAddresses.ts';
import { type Accounts, checkEmail } from './accounts/accounts.ts';
import { checkToken } from './accounts/tokens.ts';
import { checkAdminToken } from './admin/adminToken.ts';
import { PASSWORD_COST, type PasswordCost } from './desk/passwords.ts';
import type { AccountLimits } from './limits.ts';
import { ROLES, type Role } from './machines/member.ts';
import type { RegionName } from './region.ts';
import type { S3Place } from './store/s3Place.ts';
import { checkPlace } from './store/store.ts';
import type { TaskEngines } from './tasks/taskOptions.ts';

/** The options of {@link createService}; defaults are in {@link SERVICE_DEFAULTS}. */
export interface ServiceOptions extends TaskEngines {
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 8080; 0 picks a free port. */
  readonly port?: number;
  /** Directory of all data. Default: in memory, lost when the service closes. */
  readonly dataDirectory?: string;
  /** Address of a PostgreSQL server for accounts and jobs, such as `postgres://…`. Default: an embedded one in the data directory. */
  readonly databaseUrl?: string;
  /** Bucket of an S3-compatible server for media and transcripts, with `databaseUrl` only. Default: files in the data directory. */
  readonly objects?: S3Place;
  /**
   * The part of this process in a service of several, which share `databaseUrl`: `api` has the interface and the streams,
   * `worker` runs the jobs and delivers notifications. Default `all`.
   */
  readonly role?: Role;
  /** Access token of the account created at the first start; replaces an earlier one. Default: a random one. */
  readonly token?: string;
  /** E-mail address of that account; replaces an earlier one. Default `owner@localhost`. */
  readonly email?: string;
  /**
   * Token of operators who reach the service over the network, at least 32 characters. Default: administration only over a
   * socket in the data directory.
   */
  readonly adminToken?: string;
  /**
   * Port of another listener, for operators: `/metrics`, `/health/live` and `/health/ready` without a token, and with
   * `adminToken` also administration; 0 picks a free port. Default: none.
   */
  readonly adminPort?: number;
  /** Address of that listener. Default 127.0.0.1. */
  readonly adminHost?: string;
  /**
   * Lets browsers of this computer use the page `/` without a log-in, as the first account; `host` must be a loopback address,
   * without proxies. Everybody who has an account of this computer can do so. Default false.
   */
  readonly open?: boolean;
  /** Accounts from elsewhere. The service then opens no store and forgets a session when it ends. */
  readonly accounts?: Accounts;
  /** The word in paths and media types. Default `svc`. */
  readonly brand?: string;
  /** Interfaces of other services to offer as well; they require a store. Default: none. */
  readonly doors?: readonly DoorName[];
  /** The deployment. Default `us`. */
  readonly region?: RegionName;
  /** Base address by which clients reach the service, for the `type` of problems. Default: the address it listens on. */
  readonly publicUrl?: string;
  /**
   * Proxies in front of the service, whose `X-Forwarded-For` names the address of the client: addresses, CIDRs, or the names
   * `loopback`, `linklocal` and `uniquelocal`. Limits and logs go by that address. Default: none is trusted.
   */
  readonly trustProxy?: readonly string[];
  /** Default: JSON lines on stderr, from `logLevel` upwards. */
  readonly logger?: FastifyBaseLogger;
  /** Default `info`. */
  readonly logLevel?: LogLevel;
  /**
   * Receives the metrics of the service, besides the global provider of `@opentelemetry/api`. Traces go to the global one.
   */
  readonly meterProvider?: MeterProvider;
  /** Returns the metrics in the text format of Prometheus, for `/metrics`. Default: not served. */
  readonly metricsText?: () => Promise<string>;
  /** Limits of accounts without limits of their own. */
  readonly limits?: Partial<AccountLimits>;
  /**
   * Seconds for the end of streams and requests when the service closes, 0 to 3600. A stream ends with 4010 at its next pause,
   * or after its longest segment; without either, at the end of this time, even within a word. Default 40.
   */
  readonly drainSeconds?: number;
  /** Lets jobs download from and notify private, loopback and link-local addresses. Default false. */
  readonly allowPrivateAddresses?: boolean;
  /** Recordings transcribed at the same time. Default: the recogniser's own number, else half of the cores, at least one. */
  readonly jobsAtOnce?: number;
  /** Limit of streams at the same time, at least 1. The recogniser's own limit also applies. Default: only that. */
  readonly maxStreams?: number;
  /** Cost of the hash of a new password of the desk. Default: scrypt with N = 2^17, r = 8 and p = 1, 128 MiB of memory. */
  readonly passwordCost?: PasswordCost;
  readonly clock?: Clock;
}

export const SERVICE_DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  adminHost: '127.0.0.1',
  brand: DEFAULT_BRAND,
  doors: [],
  open: false,
  region: 'us',
  role: 'all',
  logLevel: LOG_DEFAULTS.level,
  drainSeconds: DRAIN_SECONDS.default,
  allowPrivateAddresses: false,
  jobsAtOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
  passwordCost: PASSWORD_COST,
  clock: systemClock,
} as const satisfies Partial<ServiceOptions>;

/** Options with defaults for absent ones. */
export type ServiceSettings = ReturnType<typeof withDefaults>;

/**
 * Returns options with defaults for absent ones.
 *
 * @throws InvalidArgumentError
 */
export function settingsOf(options: Omit<ServiceOptions, 'limits'>): ServiceSettings {
  check(options);
  return withDefaults(options);
}

function withDefaults(options: Omit<ServiceOptions, 'limits'>) {
  const { recordingsAtOnce = SERVICE_DEFAULTS.jobsAtOnce } = options.recognizer.capabilities;
  const trustProxy = trustedProxies(options.trustProxy ?? []);
  return { ...SERVICE_DEFAULTS, jobsAtOnce: recordingsAtOnce, ...defined(options), trustProxy };
}

type OtherOptions = Omit<ServiceOptions, 'recognizer'>;

/**
 * Checks the options of a service and its data directory before its engines are loaded.
 *
 * @throws as `createService`
 */
export function checkOptions(options: OtherOptions): void {
  trustedProxies(options.trustProxy ?? []);
  check(options);
  if (options.email !== undefined) checkEmail(options.email);
  checkPlace(options);
}

/** @throws InvalidArgumentError */
function check(options: OtherOptions): void {
  const { token, adminToken, accounts, publicUrl, databaseUrl, open, doors = [], trustProxy = [] } = options;
  const {
    host = SERVICE_DEFAULTS.host,
    role = SERVICE_DEFAULTS.role,
    drainSeconds = SERVICE_DEFAULTS.drainSeconds,
    maxStreams = 1,
  } = options;
  if (token !== undefined) checkToken(token);
  if (adminToken !== undefined) checkAdminToken(adminToken);
  if (adminToken !== undefined && accounts) {
    throw new InvalidArgumentError(
      "Option 'adminToken' requires accounts in a store, not option 'accounts'.",
    );
  }
  const unknown = doors.find(door => !DOORS.includes(door));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`Door '${unknown}' is unknown (allowed: ${DOORS.join(', ')}).`);
  }
  if (doors.length > 0 && accounts) {
    throw new InvalidArgumentError("Option 'doors' requires accounts in a store, not option 'accounts'.");
  }
  if (!ROLES.includes(role)) {
    throw new InvalidArgumentError(`Role '${role}' is unknown (allowed: ${ROLES.join(', ')}).`);
  }
  if (role !== 'all' && databaseUrl === undefined) {
    throw new InvalidArgumentError(
      `Role '${role}' requires option 'databaseUrl', a database that the other processes use too.`,
    );
  }
  if (publicUrl !== undefined) checkPublicUrl(publicUrl);
  if (open && (!isLoopback(host) || publicUrl !== undefined || trustProxy.length > 0)) {
    throw new InvalidArgumentError(
      "Option 'open' is for this computer alone: 'host' must be a loopback address, without 'publicUrl' and 'trustProxy'.",
    );
  }
  const { min, max } = DRAIN_SECONDS;
  if (!(drainSeconds >= min && drainSeconds <= max)) {
    throw new InvalidArgumentError(
      `Option 'drainSeconds' must be from ${min} to ${max}, not '${drainSeconds}'.`,
    );
  }
  if (!(maxStreams >= 1)) {
    throw new InvalidArgumentError(`Option 'maxStreams' must be at least 1, not '${maxStreams}'.`);
  }
}
