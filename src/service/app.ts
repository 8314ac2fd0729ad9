import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { warmDecoder } from '../audio/source/decode.ts';
import { namedOptions } from '../base/namedOptions.ts';
import { brandNames } from '../protocol/interfaceNames.ts';
import { authority } from '../web/listen.ts';
import { attachAdministration } from './admin/administration.ts';
import { areaLanguages } from './areas/languageRule.ts';
import { closeHttp, createHttpApp } from './http/httpApp.ts';
import { listenOn } from './http/listenOn.ts';
import { watchRequests } from './http/requestsInProgress.ts';
import { returnIdleMemory } from './lifecycle/idleMemory.ts';
import { createReadiness, type Readiness } from './lifecycle/readiness.ts';
import { type JobLimits, type LimitChanges, limitsWith } from './limits.ts';
import { observeEngine } from './live/observeCapacity.ts';
import { attachStreaming, NO_STREAMING, type Streaming } from './live/streaming.ts';
import { createLogger } from './log/createLogger.ts';
import { safeLogger } from './log/safeLogger.ts';
import { type ServiceOptions, type ServiceSettings, settingsOf } from './options.ts';
import { type Persistence, withoutPersistence } from './persistence/persistence.ts';
import { createRateLimits } from './rateLimits/rateLimits.ts';
import { createUploadSlots } from './rateLimits/tally.ts';
import { REGIONS } from './region.ts';
import { createInstruments, type Instruments } from './telemetry/createInstruments.ts';

/** A running service. */
export interface Service extends AsyncDisposable {
  /** Address it listens on, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Address of metrics, health and administration, without a trailing slash; undefined without option `adminPort`. */
  readonly adminUrl: string | undefined;
  /** Resolves when recogniser and store are ready; rejects when one of them fails. Sessions do not wait for it. */
  readonly ready: Promise<void>;
  /**
   * Access token of the account created by this start, available only here: the store keeps a hash. Undefined when an
   * account existed, a token was given, or the store could not be opened.
   */
  readonly initialToken: Promise<string | undefined>;
  /**
   * Stops within `drainSeconds` and the time of some closes: reports that it is not ready, returns jobs to the queue, refuses
   * new sessions, ends the others with 4010 at a pause, lets requests end, and saves pending data. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Starts the speech service. Resolves when it listens; store and recogniser get ready in the background.
 *
 * @throws RxscribeError `store` when the data directory is in use or of another version; `invalid-argument`;
 * `unavailable` when it cannot listen
 * @example
 * await using recognizer = createMoonshineRecognizer();
 * await using service = await createService({ recognizer, port: 0, dataDirectory: './data' });
 * console.log(service.url, await service.initialToken);
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { limits, ...others } = namedOptions('ServiceOptions', options);
  return startService(others, { account: limits });
}

/** Starts a service with other limits than the defaults. */
export async function startService(
  options: Omit<ServiceOptions, 'limits'>,
  changes: LimitChanges = {},
): Promise<Service> {
  const settings = settingsOf(options);
  const { recognizer, clock, host, trustProxy } = settings;
  const names = brandNames(settings.brand);
  const logger = safeLogger(settings.logger ?? createLogger(settings.logLevel));
  const limits = limitsWith(changes);
  const instruments = createInstruments(settings.meterProvider);
  const persistence = await persistenceOf({ ...settings, instruments }, limits.jobs, logger);
  // A service embedded in another program gets raw audio only, and should start at once.
  if (!settings.accounts) await warmDecoder();

  let url = '';
  const baseUrl = () => settings.publicUrl ?? url;
  const readiness = createReadiness(logger);
  const app = createHttpApp({ limits: limits.http, logger, baseUrl, clock, instruments, trustProxy });
  const requestsEnded = watchRequests(app.server);
  const stopObserving = observeEngine(recognizer, instruments);
  app.addHook('onClose', async () => stopObserving());
  const parts = {
    ...persistence,
    recognizer,
    names,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    region: REGIONS[settings.region],
    clock,
    logger,
    instruments,
    baseUrl,
    languages: areaLanguages(settings),
    ...createRateLimits(limits, persistence, clock),
  };
  const { closeTimeoutMs, messageBytes } = limits.stream;
  const uploads = createUploadSlots(limits.http.uploadsPerAccount);
  const failing = () => (recognizer.fault?.() === undefined ? [] : ['recogniser']);
  const missing = () => [...new Set([...readiness.missing(), ...failing(), ...persistence.missing()])];
  const http = { ...parts, limits: limits.http, missing };
  persistence.addRoutes(app, { ...http, messageBytes, uploads, streaming: () => streaming });
  const adminPortOf = attachAdministration(app, { ...settings, ...http, closeTimeoutMs });
  const streaming: Streaming =
    settings.role === 'worker'
      ? NO_STREAMING
      : attachStreaming(app.server, { ...settings, ...parts, limits: limits.stream });
  const stopMemory = returnIdleMemory({
    clock,
    isBusy: () => streaming.sessions > 0,
    onError: error => logger.warn({ err: error }, 'memory cannot be returned'),
  });
  app.addHook('onClose', stopMemory);
  const port = await listenOrClose(app, { host, port: settings.port, persistence });
  url = urlOf(host, port);
  const adminPort = adminPortOf();
  const adminUrl = adminPort === undefined ? undefined : urlOf(settings.adminHost, adminPort);

  const { initialToken, opened: store } = persistence;
  const ready = readiness.waitFor({ recogniser: recognizer.warm(), store });
  const running = { app, requestsEnded, readiness, streaming, persistence, logger, closeTimeoutMs };
  let stopping: Promise<void> | undefined;
  const close = () => {
    stopping ??= stop(settings, running);
    return stopping;
  };
  return { url, port, adminUrl, ready, initialToken, close, [Symbol.asyncDispose]: close };
}

function urlOf(host: string, port: number): string {
  return `http://${authority({ host, port })}`;
}

interface RunningParts {
  readonly app: FastifyInstance;
  readonly requestsEnded: () => Promise<void>;
  readonly readiness: Readiness;
  readonly streaming: Streaming;
  readonly persistence: Persistence;
  readonly logger: FastifyBaseLogger;
  readonly closeTimeoutMs: number;
}

async function stop(
  { clock, drainSeconds }: ServiceSettings,
  { streaming, persistence, logger, ...parts }: RunningParts,
): Promise<void> {
  const drainMs = drainSeconds * 1000;
  const deadlineMs = clock.now() + drainMs;
  parts.readiness.stop();
  logger.info({ streams: streaming.sessions, seconds: drainSeconds }, 'stopping');
  const end = async () => {
    await streaming.drain(drainMs);
    const timeoutMs = parts.closeTimeoutMs;
    const requestsMs = Math.max(deadlineMs - clock.now(), timeoutMs);
    await closeHttp(parts.app, { ...parts, requestsMs, timeoutMs, clock });
  };
  await Promise.all([persistence.giveBack(), end()]);
  await persistence.close();
}

async function persistenceOf(
  settings: ServiceSettings & { readonly instruments: Instruments },
  limits: JobLimits,
  logger: FastifyBaseLogger,
): Promise<Persistence> {
  if (settings.accounts) return withoutPersistence(settings.accounts, settings.clock);
  // Loads a database and engines, which a service without persistence does not need.
  const { createStoredPersistence } = await import('./persistence/storedPersistence.ts');
  return createStoredPersistence({ ...settings, limits, logger });
}

async function listenOrClose(
  app: FastifyInstance,
  { persistence, ...address }: { host: string; port: number; persistence: Persistence },
): Promise<number> {
  try {
    await listenOn(app, address);
    return (app.server.address() as AddressInfo).port;
  } catch (error) {
    await app.close();
    await persistence.close();
    throw error;
  }
}
