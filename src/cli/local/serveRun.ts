import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { firstValueFrom } from 'rxjs';
import { InvalidArgumentError, reasonOf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import type { LogFormat, LogLevel } from '../../base/logLevel.ts';
import { shellWord } from '../../base/text.ts';
import { createService, type Service } from '../../service/app.ts';
import { createLogger } from '../../service/log/createLogger.ts';
import type { Role } from '../../service/machines/member.ts';
import { checkOptions } from '../../service/options.ts';
import { trustedProxies } from '../../web/requestAddresses.ts';
import type { Context, Output } from '../context.ts';
import type { EngineFlags } from '../flags/engineOptions.ts';
import { type StoreFlags, storePlace } from '../flags/storeOptions.ts';
import { STOPPED, takeInterruptions, unlessAborted } from '../interruption.ts';
import { enginesOf } from './engines.ts';
import { openTelemetry } from './telemetry.ts';

/** Characters below which a token can be guessed: the throttle of wrong tokens never refuses the right one. */
const SAFE_TOKEN_LENGTH = 16;

export interface ServeOptions extends EngineFlags, StoreFlags {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly trustProxy?: readonly string[];
  readonly role: Role;
  readonly email?: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly adminPort?: number;
  readonly adminHost?: string;
  readonly brand: string;
  readonly region: 'us' | 'eu';
  readonly allowPrivateAddresses?: boolean;
  readonly jobs?: number;
  readonly maxStreams?: number;
  readonly drainSeconds: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat;
}

/**
 * Runs the service until it is interrupted; then sessions end, and everything is saved.
 *
 * @throws the reason why it cannot become ready
 */
export async function runService(context: Context, options: ServeOptions): Promise<void> {
  // Listening from the start, so that a signal during the start is not lost.
  using interruption = takeInterruptions(context, STOPPED);
  const logger = await loggerOf(context, options);
  if (options.token && options.token.length < SAFE_TOKEN_LENGTH) {
    logger.warn(
      `The token of the first account can be guessed: it has ${options.token.length} characters. ` +
        `Use at least ${SAFE_TOKEN_LENGTH}, or leave out --token to have one made.`,
    );
  }
  const place = storePlace(options, context.env, text => logger.info(text));
  requireServer(options, place.databaseUrl);
  const adminListener = adminListenerOf(options);
  const { host, port, publicUrl, trustProxy, role, email, token, adminToken, brand, region } = options;
  trustedProxies(trustProxy ?? [], '--trust-proxy');
  const settings = {
    ...{ host, port, publicUrl, trustProxy, role, email, token, adminToken, brand, region },
    ...place,
    ...adminListener,
    allowPrivateAddresses: options.allowPrivateAddresses,
    jobsAtOnce: options.jobs,
    maxStreams: options.maxStreams,
    drainSeconds: options.drainSeconds,
    logger,
  };
  // Engines take long to load, or to download.
  checkOptions(settings);
  const { signal } = interruption;
  await using engines = await enginesOf(context, { ...options, signal }).catch(unlessAborted(signal));
  if (!engines) return;
  await using telemetry = await openTelemetry(context.env, logger);
  const { meterProvider, metricsText } = telemetry;
  await using service = await createService({ ...settings, ...engines, meterProvider, metricsText });
  const stopped = firstValueFrom(interruption.interrupted$);
  await Promise.race([stopped, whenReady(context, service, { directory: options.data, logger })]);
  await stopped;
}

/** @throws InvalidArgumentError for an address without a port */
function adminListenerOf({ adminPort, adminHost }: ServeOptions) {
  if (adminPort !== undefined || adminHost === undefined) return { adminPort, adminHost };
  throw new InvalidArgumentError('--admin-host requires --admin-port.');
}

/** @throws InvalidArgumentError for a role that needs a database server */
function requireServer({ role }: ServeOptions, databaseUrl: string | undefined): void {
  if (role === 'all' || databaseUrl) return;
  throw new InvalidArgumentError(`--role ${role} requires --database.`);
}

interface TokenPlaces {
  readonly directory: string;
  readonly logger: FastifyBaseLogger;
}

async function whenReady({ stdout, stderr }: Context, service: Service, places: TokenPlaces): Promise<void> {
  const handedOut = service.initialToken.then(async token => {
    if (token !== undefined) await handOutToken(token, stderr, places);
  });
  // A service that does not become ready hands its token out as well: the next start makes no other one.
  await Promise.all([handedOut, service.ready]);
  stdout.write(`rxscribe listening on ${service.url}\n`);
}

async function loggerOf(
  { stderr }: Context,
  { logLevel, logFormat = stderr.isTTY ? 'plain' : 'json' }: ServeOptions,
) {
  if (logFormat === 'json') return createLogger(logLevel);
  const { plainLogger } = await import('../../service/log/plainLogger.ts');
  return plainLogger(logLevel);
}

/** Name of the file in the data directory with the first token, when no terminal could show it. */
const FIRST_TOKEN_FILE = 'first-token';

/**
 * Shows the token of a first start in a terminal, else writes it to a file that only the owner of this process can read.
 * It is never logged: others read the log.
 */
async function handOutToken(
  token: string,
  stderr: Output,
  { directory, logger }: TokenPlaces,
): Promise<void> {
  if (stderr.isTTY) {
    stderr.write(`The first account has been created. Its access token, shown only this once: ${token}\n`);
    return;
  }
  const path = join(directory, FIRST_TOKEN_FILE);
  const draft = `${path}.${createId()}`;
  try {
    await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
    logger.info(`The first account has been created. Its access token is in ${path}.`);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    logger.error(
      `The first account has been created, but its access token cannot be written to ${path}: ` +
        `${reasonOf(error)}. Create another one: rxscribe account token create owner --data ${shellWord(directory)}`,
    );
  }
}
