import { join } from 'node:path';
import multipart from '@fastify/multipart';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { createId } from '../../base/ids.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { brandNames, type DoorName } from '../../protocol/interfaceNames.ts';
import { checkEmail } from '../accounts/accounts.ts';
import { createStoredAccounts } from '../accounts/storedAccounts.ts';
import { AREAS, areaRoutes, describeJob } from '../areas/areas.ts';
import { createDesk, type Desk } from '../desk/desk.ts';
import { observeDesk } from '../desk/deskFigures.ts';
import { deskRoutes } from '../desk/http/deskRoutes.ts';
import type { PasswordCost } from '../desk/passwords.ts';
import { addDoors } from '../doors/doors.ts';
import { frontPage } from '../frontPage/frontPage.ts';
import { withLocalToken } from '../frontPage/localToken.ts';
import { inScope } from '../http/inScope.ts';
import type { DeliveriesOptions } from '../jobs/deliveries.ts';
import { createStoredJobs } from '../jobs/storedJobs.ts';
import type { Tasks } from '../jobs/task.ts';
import { joinMachines } from '../machines/machines.ts';
import type { Role } from '../machines/member.ts';
import { addReference } from '../openApi/reference.ts';
import { type AddressGuard, createAddressGuard } from '../outbound/addressGuard.ts';
import { deliver, NOTIFICATION_WINDOW_MS, retryDelaySeconds } from '../outbound/notify.ts';
import { createLocalLimits } from '../rateLimits/rateLimits.ts';
import { accountRoutes, healthRoutes, openRoutes, type RoutesOptions } from '../routes.ts';
import type { S3Place } from '../store/s3Place.ts';
import { openStore } from '../store/store.ts';
import { watchStore } from '../store/storeWatch.ts';
import { type Unreachable, unreachableServer } from '../store/untilReachable.ts';
import { storedGrants } from '../streamTokens/storedGrants.ts';
import { createStreamTokens } from '../streamTokens/streamTokens.ts';
import { type ServiceTaskOptions, serviceLanes, serviceTasks } from '../tasks/serviceTasks.ts';
import type { Instruments } from '../telemetry/createInstruments.ts';
import type { Persistence } from './persistence.ts';

export interface StoredPersistenceOptions
  extends Omit<NotificationOptions, 'guard'>,
    Omit<ServiceTaskOptions, 'jobs' | 'guard'> {
  readonly dataDirectory?: string;
  readonly doors: readonly DoorName[];
  readonly role: Role;
  readonly databaseUrl?: string;
  readonly objects?: S3Place;
  readonly open: boolean;
  readonly token?: string;
  readonly email?: string;
  readonly logger: FastifyBaseLogger;
  readonly instruments: Instruments;
  readonly allowPrivateAddresses: boolean;
  /** Recordings transcribed at the same time. */
  readonly jobsAtOnce: number;
  /** Cost of the hash of a new password of the desk. */
  readonly passwordCost: PasswordCost;
}

/**
 * Creates the persistence of a service with a store, with the tasks of its jobs and the routes of all areas. Loaded only
 * when needed.
 *
 * @throws RxscribeError `store`, `invalid-argument`
 */
export function createStoredPersistence(options: StoredPersistenceOptions): Persistence {
  const guard = createAddressGuard({ allowPrivate: options.allowPrivateAddresses });
  const tasks = serviceTasks({
    ...options,
    guard,
    jobs: () => persistence.jobs,
  });
  const persistence = persistInStore({ ...options, guard, tasks });
  const desk = createDesk({
    ...options,
    opened: persistence.opened,
    jobs: persistence.jobs,
    onError: error => options.logger.error({ err: error }, 'desk failed'),
  });
  const stopFigures = observeDesk({ ...options, opened: persistence.opened });
  return {
    ...persistence,
    desk,
    close: () => persistence.close().finally(stopFigures),
    addRoutes: (app, routes) =>
      options.role === 'worker'
        ? healthRoutes(app, routes)
        : addRoutes(app, { ...options, ...routes, desk, localToken: persistence.localToken }),
  };
}

interface AllRoutesOptions extends RoutesOptions {
  readonly desk: Desk;
  readonly localToken?: string;
  readonly doors: readonly DoorName[];
}

function addRoutes(app: FastifyInstance, options: AllRoutesOptions): void {
  const areas = AREAS.filter(({ name }) => options.region.areas.includes(name));
  addReference(app, { ...options, areaTitles: areas.map(({ title }) => title) });
  inScope(app, scope => frontPage(scope, options));
  if (options.region.desk) inScope(app, scope => deskRoutes(scope, options));
  inScope(app, scope => openRoutes(scope, options));
  addDoors(app, options.doors, options);
  inScope(app, async scope => {
    await scope.register(multipart);
    accountRoutes(scope, options);
    for (const area of areas) areaRoutes(scope, area, options);
  });
}

/** Milliseconds for jobs to be queued again and for pending writes when a service stops, so that an unreachable store cannot block it. */
const CLOSE_TIMEOUT_MS = 10_000;

/**
 * Opens the store with its accounts and jobs.
 *
 * @throws RxscribeError `store`, `invalid-argument`
 */
function persistInStore({
  logger,
  ...options
}: StoredPersistenceOptions & NotificationOptions & { readonly tasks: Tasks }) {
  const { clock, token, email } = options;
  if (email !== undefined) checkEmail(email);
  const onUnreachable = ({ server, reason }: Unreachable) =>
    logger.warn(`The ${server} cannot be reached: ${reason}. Trying again.`);
  const onJobError = (error: unknown, about: object = {}) => {
    const unreachable = options.databaseUrl === undefined ? undefined : unreachableServer(error);
    if (unreachable) onUnreachable(unreachable);
    else logger.error({ ...about, err: error }, 'store failed');
  };
  const onError = (error: unknown) => onJobError(error);
  const store = openStore({ ...options, onError, onUnreachable });
  const stored = createStoredAccounts({ opened: store.opened, token, email, clock, onError });
  const accounts = options.open ? withLocalToken(stored) : { ...stored, localToken: undefined };
  const jobs = createStoredJobs({
    ...options,
    describe: describeJob,
    lanes: serviceLanes(options.jobsAtOnce),
    opened: accounts.prepared,
    worksOnQueue: options.role !== 'api',
    deliveries: notificationDeliveries(options),
    log: logger,
    onError: onJobError,
  });
  const watch = watchStore(store.opened, { clock, onError });
  const machines =
    options.databaseUrl === undefined
      ? undefined
      : joinMachines({ ...options, opened: accounts.prepared, onError });
  return {
    accounts,
    localToken: accounts.localToken,
    streamTokens: createStreamTokens(accounts, storedGrants(accounts), clock),
    jobs,
    limits: machines?.limits ?? createLocalLimits(clock),
    missing: watch.missing,
    administration: accounts.administration,
    openUpload: async () => join((await store.opened).objects.spoolDirectory, createId()),
    opened: accounts.prepared,
    initialToken: accounts.initialToken,
    giveBack: () => settledWithin(CLOSE_TIMEOUT_MS, jobs.giveBack(), clock),
    async close() {
      store.giveUp();
      await settledWithin(
        CLOSE_TIMEOUT_MS,
        Promise.all([jobs.close(), accounts.close(), watch.close(), machines?.close()]),
        clock,
      );
      await store.close();
    },
  };
}

export interface NotificationOptions {
  readonly brand: string;
  readonly guard: AddressGuard;
  readonly clock: Clock;
}

/** Returns the options for delivering the notifications of a service. */
export function notificationDeliveries({ brand, guard, clock }: NotificationOptions): DeliveriesOptions {
  const names = brandNames(brand);
  return {
    deliver: (delivery, signal) => deliver(delivery, { guard, names, clock, signal }),
    retryDelaySeconds,
    windowMs: NOTIFICATION_WINDOW_MS,
  };
}
