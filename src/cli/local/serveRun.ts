import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { firstValueFrom } from 'rxjs';
import { reasonOf, refuseIf } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { shellWord } from '../../base/text.ts';
import { createService, type Service } from '../../service/app.ts';
import { openInBrowser } from '../../service/frontPage/openInBrowser.ts';
import { createLogger } from '../../service/log/createLogger.ts';
import { checkOptions } from '../../service/options.ts';
import { trustedProxies } from '../../web/requestAddresses.ts';
import type { Context, Output } from '../context.ts';
import type { ServeFlags } from '../flags/serveOptions.ts';
import { storePlace } from '../flags/storeOptions.ts';
import { STOPPED, takeInterruptions, unlessAborted } from '../interruption.ts';
import { enginesOf } from './engines.ts';
import { openTelemetry } from './telemetry.ts';

/** Characters below which a token can be guessed: the throttle of wrong tokens never refuses the right one. */
const SAFE_TOKEN_LENGTH = 16;

/**
 * Runs the service until it is interrupted; then sessions end, and everything is saved.
 *
 * @throws the reason why it cannot become ready
 */
export async function runService(context: Context, flags: ServeFlags): Promise<void> {
  // Interruptions are taken from the start, so that a signal during it is not lost.
  using interruption = takeInterruptions(context, STOPPED);
  const logger = await loggerOf(context, flags);
  if (flags.token && flags.token.length < SAFE_TOKEN_LENGTH) {
    logger.warn(
      `The token of the first account can be guessed: it has ${flags.token.length} characters. ` +
        `Use at least ${SAFE_TOKEN_LENGTH}, or leave out --token to have one made.`,
    );
  }
  const place = storePlace(flags, context.env, text => logger.info(text));
  checkFlags(flags, place.databaseUrl);
  // The place has it; the service would take its name for a misspelt one.
  const { database: _, ...named } = flags;
  const settings = { ...named, jobsAtOnce: flags.jobs, ...place, logger };
  // Engines take long to load, or to download.
  checkOptions(settings);
  const { signal } = interruption;
  const onModel = (name: string) => logger.info(`The recogniser is ${name}.`);
  await using engines = await enginesOf(context, { ...flags, signal, onModel }).catch(unlessAborted(signal));
  if (!engines) return;
  await using telemetry = await openTelemetry(context.env, logger);
  const { meterProvider, metricsText } = telemetry;
  await using service = await createService({ ...settings, ...engines, meterProvider, metricsText });
  const stopped = firstValueFrom(interruption.interrupted$);
  await Promise.race([stopped, whenReady(context, service, { ...flags, logger })]);
  await stopped;
}

/** @throws InvalidArgumentError for flags without those that they require, or for proxies that cannot be trusted */
function checkFlags({ role, adminPort, adminHost, trustProxy }: ServeFlags, databaseUrl?: string): void {
  refuseIf(role !== 'all' && !databaseUrl, `--role ${role} requires --database.`);
  refuseIf(adminPort === undefined && adminHost !== undefined, '--admin-host requires --admin-port.');
  trustedProxies(trustProxy ?? [], '--trust-proxy');
}

type ReadyFlags = Pick<ServeFlags, 'data' | 'open'> & { readonly logger: FastifyBaseLogger };

async function whenReady({ stdout, stderr }: Context, service: Service, flags: ReadyFlags): Promise<void> {
  const handedOut = service.initialToken.then(async token => {
    if (token !== undefined) await handOutToken(token, stderr, flags);
  });
  // The token is shown even if the service does not become ready: the next start creates no other token.
  await Promise.all([handedOut, service.ready]);
  stdout.write(`rxscribe listening on ${service.url}\n`);
  if (flags.open && stdout.isTTY) openInBrowser(service.url);
}

async function loggerOf(
  { stderr }: Context,
  { logLevel, logFormat = stderr.isTTY ? 'plain' : 'json' }: ServeFlags,
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
async function handOutToken(token: string, stderr: Output, { data, logger }: ReadyFlags): Promise<void> {
  if (stderr.isTTY) {
    stderr.write(`The first account has been created. Its access token, shown only this once: ${token}\n`);
    return;
  }
  const path = join(data, FIRST_TOKEN_FILE);
  const draft = `${path}.${createId()}`;
  try {
    await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
    logger.info(`The first account has been created. Its access token is in ${path}.`);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    logger.error(
      `The first account has been created, but its access token cannot be written to ${path}: ` +
        `${reasonOf(error)}. Create another one: rxscribe account token create owner --data ${shellWord(data)}`,
    );
  }
}
