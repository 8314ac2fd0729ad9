import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { warmDecoder } from '../audio/source/decode.ts';
import { InvalidArgumentError, RxscribeError, reasonOf } from '../base/errors.ts';
import { brandNames } from '../protocol/interfaceNames.ts';
import { checkToken } from './accounts/tokens.ts';
import { attachAdministration } from './admin/administration.ts';
import { checkAdminToken } from './admin/adminToken.ts';
import { areaLanguages } from './areas/languageRule.ts';
import { closeHttp, createHttpApp } from './http/httpApp.ts';
import { returnIdleMemory } from './lifecycle/idleMemory.ts';
import { createReadiness } from './lifecycle/readiness.ts';
import { type JobLimits, limitsWith } from './limits.ts';
import { attachStreaming } from './live/streaming.ts';
import { createLogger } from './log/createLogger.ts';
import { safeLogger } from './log/safeLogger.ts';
import { type ServiceOptions, settingsOf } from './options.ts';
import { type Persistence, withoutPersistence } from './persistence/persistence.ts';
import { addressesAt } from './problems.ts';
import { createRateLimits } from './rateLimits/rateLimits.ts';
import { REGIONS } from './region.ts';
import { createUploadSlots } from './uploads/uploadSlots.ts';

/** A running service. */
export interface Service extends AsyncDisposable {
  /** Address it listens on, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Resolves when recogniser and store are ready; rejects when one of them fails. Sessions do not wait for it. */
  readonly ready: Promise<void>;
  /**
   * Access token of the account created by this start, available only here: the store keeps a hash. Undefined when an
   * account existed, a token was given, or the store could not be opened.
   */
  readonly initialToken: Promise<string | undefined>;
  /** Refuses new sessions, lets the others end or ends them with 4010, and saves pending data. Idempotent. */
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
  const settings = settingsOf(options);
  const { recognizer, clock, host } = settings;
  const names = brandNames(settings.brand);
  if (settings.token !== undefined) checkToken(settings.token);
  checkAdministration(settings);
  const region = REGIONS[settings.region];
  const logger = safeLogger(settings.logger ?? createLogger(settings.logLevel));
  const limits = limitsWith(settings.limits);
  const persistence = await persistenceOf(settings, limits.jobs, logger);
  // A service embedded in another program gets raw audio only, and should start at once.
  if (!settings.accounts) await warmDecoder();

  let url = '';
  const addresses = () => addressesAt(settings.publicUrl ?? url);
  const readiness = createReadiness(logger);
  const app = createHttpApp({ limits: limits.http, logger, addresses, clock });
  const parts = {
    ...persistence,
    recognizer,
    names,
    region,
    clock,
    logger,
    addresses,
    languages: areaLanguages(settings),
    ...createRateLimits(limits, persistence.jobs, clock),
  };
  const { closeTimeoutMs, messageBytes } = limits.stream;
  const uploads = createUploadSlots(limits.http.uploadsPerAccount);
  const missing = () => [...readiness.missing(), ...persistence.missing()];
  persistence.addRoutes(app, { ...parts, limits: limits.http, messageBytes, uploads, missing });
  attachAdministration(app, { ...settings, ...parts, limits: limits.http, closeTimeoutMs });
  const { punctuator, diarizer } = settings;
  const streaming = attachStreaming(app.server, { ...parts, punctuator, diarizer, limits: limits.stream });
  const port = await listenOrClose(app, { host, port: settings.port, persistence });
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

  const ready = readiness.waitFor({ recogniser: recognizer.warm(), store: persistence.opened });

  const stopReturning = returnIdleMemory({
    clock,
    isBusy: () => streaming.sessions > 0,
    onError: error => logger.warn({ err: error }, 'memory cannot be returned'),
  });

  const stop = async () => {
    readiness.stop();
    await stopReturning();
    await streaming.drain();
    await closeHttp(app, closeTimeoutMs, clock);
    await persistence.close();
  };
  let stopping: Promise<void> | undefined;
  const close = () => {
    stopping ??= stop();
    return stopping;
  };
  return { url, port, ready, initialToken: persistence.initialToken, close, [Symbol.asyncDispose]: close };
}

async function persistenceOf(
  settings: ReturnType<typeof settingsOf>,
  limits: JobLimits,
  logger: FastifyBaseLogger,
): Promise<Persistence> {
  if (settings.accounts) return withoutPersistence(settings.accounts);
  // Loads a database and engines, which a service without persistence does not need.
  const { createStoredPersistence } = await import('./persistence/storedPersistence.ts');
  return createStoredPersistence({ ...settings, limits, logger });
}

async function listenOrClose(
  app: FastifyInstance,
  { persistence, ...address }: { host: string; port: number; persistence: Persistence },
): Promise<number> {
  try {
    await app.listen({ ...address, listenTextResolver: at => `listening at ${at}` });
    return (app.server.address() as AddressInfo).port;
  } catch (cause) {
    await app.close();
    await persistence.close();
    throw new RxscribeError(
      'unavailable',
      `Cannot listen on ${address.host}, port ${address.port}: ${reasonOf(cause)}.`,
      { cause },
    );
  }
}

/** @throws InvalidArgumentError */
function checkAdministration({ adminToken, accounts }: ServiceOptions): void {
  if (adminToken === undefined) return;
  checkAdminToken(adminToken);
  if (accounts) {
    throw new InvalidArgumentError(
      "Option 'adminToken' requires accounts in a store, not option 'accounts'.",
    );
  }
}
