import { firstValueFrom } from 'rxjs';
import type { LogFormat, LogLevel } from '../../base/logLevel.ts';
import { createService, type Service } from '../../service/app.ts';
import { createLogger } from '../../service/log/createLogger.ts';
import type { EngineFlags } from '../flags/engineOptions.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';
import { enginesOf } from './engines.ts';
import { handOutToken } from './handOutToken.ts';

/** A shorter token can be guessed: right ones are answered however many wrong ones came before. */
const SAFE_TOKEN_LENGTH = 16;

export interface ServeOptions extends EngineFlags {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly database?: string;
  readonly email?: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly brand: string;
  readonly region: 'us' | 'eu';
  readonly allowPrivateAddresses?: boolean;
  readonly jobs?: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat;
}

/**
 * Runs the service until SIGTERM or SIGINT; then sessions end, and all that is to be kept is written.
 *
 * @throws what keeps it from becoming ready
 */
export async function runService(options: ServeOptions): Promise<void> {
  // From the start, so that a signal while starting is not lost.
  using interruption = takeInterruptions(STOPPED);
  const logger = await loggerOf(options);
  if (options.token !== undefined && options.token.length < SAFE_TOKEN_LENGTH) {
    logger.warn(
      `the token of the first account can be guessed: wanted at least ${SAFE_TOKEN_LENGTH} characters, ` +
        `found ${options.token.length}; without --token a safe one is made`,
    );
  }
  const databaseUrl = databaseOf(options);
  if (databaseUrl && !options.database) logger.info('the database is that of DATABASE_URL');
  await using engines = await enginesOf(options);
  await using service = await createService({
    host: options.host,
    port: options.port,
    dataDirectory: options.data,
    databaseUrl,
    email: options.email,
    token: options.token,
    adminToken: options.adminToken,
    brand: options.brand,
    region: options.region,
    allowPrivateAddresses: options.allowPrivateAddresses,
    jobsAtOnce: options.jobs,
    logger,
    ...engines,
  });
  const stopped = firstValueFrom(interruption.interrupted$);
  await Promise.race([stopped, whenReady(service, options, logger)]);
  await stopped;
}

async function whenReady(
  service: Service,
  { data }: ServeOptions,
  logger: Awaited<ReturnType<typeof loggerOf>>,
): Promise<void> {
  const handedOut = service.initialToken.then(token => {
    if (token !== undefined)
      return handOutToken(token, { directory: data, terminal: process.stderr, logger });
  });
  // Also of a service that does not become ready: the next start makes no other token.
  await Promise.all([handedOut, service.ready]);
  process.stdout.write(`rxscribe listening on ${service.url}\n`);
}

async function loggerOf({ logLevel, logFormat = process.stderr.isTTY ? 'plain' : 'json' }: ServeOptions) {
  if (logFormat === 'json') return createLogger(logLevel);
  const { plainLogger } = await import('../../service/log/plainLogger.ts');
  return plainLogger(logLevel);
}

/** An empty variable names nothing. */
function databaseOf({ database }: ServeOptions): string | undefined {
  return database || process.env.DATABASE_URL || undefined;
}
