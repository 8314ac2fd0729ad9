import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { warmDecoder } from '../audio/source/decode.ts';
import { InvalidArgumentError, messageOf, RxscribeError } from '../base/errors.ts';
import { brandNames } from '../protocol/interfaceNames.ts';
import { checkToken } from './accounts/tokens.ts';
import { attachAdministration } from './admin/administration.ts';
import { checkAdminToken } from './admin/adminToken.ts';
import { areaLanguages } from './areas/languageRule.ts';
import { closeHttp, createHttpApp } from './http/httpApp.ts';
import { returnIdleMemory } from './lifecycle/idleMemory.ts';
import { createReadiness } from './lifecycle/readiness.ts';
import { limitsWith } from './limits.ts';
import { attachStreaming } from './live/streaming.ts';
import { createLogger } from './log/createLogger.ts';
import { safeLogger } from './log/safeLogger.ts';
import { type ServiceOptions, settingsOf } from './options.ts';
import { type Persistence, withoutPersistence } from './persistence/persistence.ts';
import type { StoredPersistenceOptions } from './persistence/storedPersistence.ts';
import { addressesAt } from './problems.ts';
import { createRateLimits } from './rateLimits/rateLimits.ts';
import { REGIONS } from './region.ts';
import { createUploadSlots } from './uploads/uploadSlots.ts';

/** A running service. */
export interface Service extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Resolves when recogniser and store are ready, rejects when one of them cannot be. Sessions do not wait for it. */
  readonly ready: Promise<void>;
  /**
   * The access token of the account that this start made. It is told here only: the store keeps a hash. Undefined when
   * there was an account, a token was given, or the store could not be opened.
   */
  readonly initialToken: Promise<string | undefined>;
  /** Takes nothing new, lets sessions end or ends them with 4010, writes what is to be kept. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the speech service. It listens when this resolves; the store and the recogniser make ready in the background.
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
  const persistence = settings.accounts
    ? withoutPersistence(settings.accounts)
    : await keepStored({ ...settings, limits: limits.jobs, logger });
  // A service inside another program is asked for raw audio, and to be there at once.
  if (!settings.accounts) await warmDecoder();

  let url = '';
  const addresses = () => addressesAt(settings.publicUrl ?? url);
  const readiness = createReadiness(logger);
  const app = createHttpApp({ limits: limits.http, logger, addresses, clock });
  const parts = {
    ...{ ...persistence, recognizer, names, region, clock, logger, addresses },
    languages: areaLanguages(settings),
    ...createRateLimits(limits, persistence.jobs, clock),
  };
  const { closeTimeoutMs, messageBytes } = limits.stream;
  const uploads = createUploadSlots(limits.http.uploadsPerAccount);
  const missing = () => [...readiness.missing(), ...persistence.missing()];
  persistence.addRoutes(app, { ...parts, limits: limits.http, messageBytes, uploads, missing });
  attachAdministration(app, { ...settings, ...parts, limits: limits.http, closeTimeoutMs });
  const streaming = attachStreaming(app.server, {
    ...{ ...parts, punctuator: settings.punctuator, diarizer: settings.diarizer, limits: limits.stream },
  });
  const port = await listenOrClose(app, { host, port: settings.port, persistence });
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

  const ready = readiness.waitFor({ recogniser: recognizer.warm(), store: persistence.opened });

  const stopReturning = returnIdleMemory({
    clock,
    isBusy: () => streaming.sessions > 0,
    onError: error => logger.warn({ err: error }, 'memory is not returned'),
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
  return {
    url,
    port,
    ready,
    initialToken: persistence.initialToken,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function keepStored(options: StoredPersistenceOptions): Promise<Persistence> {
  // A database and engines are much to load for those who keep nothing.
  const { createStoredPersistence } = await import('./persistence/storedPersistence.ts');
  return createStoredPersistence(options);
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
      `listen on ${address.host}, port ${address.port}: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** @throws InvalidArgumentError */
function checkAdministration({ adminToken, accounts }: ServiceOptions): void {
  if (adminToken === undefined) return;
  checkAdminToken(adminToken);
  if (accounts) throw new InvalidArgumentError('admin token: wanted accounts in a store, found others');
}
