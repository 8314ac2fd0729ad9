import type { FastifyInstance } from 'fastify';
import type { Recognizer } from '../engines/recognizer.ts';
import { DESK_PREFIX } from '../protocol/desk.ts';
import { SPEECH_TO_TEXT_PREFIX, STREAM_PATH } from '../protocol/interfaceNames.ts';
import type { Account } from '../protocol/jobs.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { AreaContext } from './areas/area.ts';
import { areaPaths } from './areas/areaPaths.ts';
import { STOPPING } from './lifecycle/readiness.ts';
import type { Streaming } from './live/streaming.ts';
import { accountOperation, HIDDEN, healthOperation, streamOperation } from './openApi/openOperations.ts';
import { invalidParameters, ProblemError } from './problems.ts';
import { type AdmitOptions, admitRequests } from './rateLimits/admitRequests.ts';
import type { AreaName } from './region.ts';
import { streamTokenRoute } from './streamTokens/streamTokenRoute.ts';
import type { StreamTokens } from './streamTokens/streamTokens.ts';

export interface RoutesOptions extends AreaContext, AdmitOptions {
  /** Bytes of one message of a stream. */
  readonly messageBytes: number;
  /** Returns the names of the parts that are not ready, and {@link STOPPING}; empty when the service is ready. */
  readonly missing: () => readonly string[];
  readonly streamTokens: StreamTokens;
  readonly recognizer: Pick<Recognizer, 'name' | 'capabilities'>;
  /** Returns the streaming sessions, which exist when routes are added. */
  readonly streaming: () => Streaming;
}

/** Adds the checks of load balancers. */
export function healthRoutes(app: FastifyInstance, { missing }: Pick<RoutesOptions, 'missing'>): void {
  app.get('/health/live', { schema: healthOperation('Check that the service runs') }, async () => ({
    status: 'ok',
  }));
  app.get('/health/ready', { schema: healthOperation('Check that the service is ready') }, async () => {
    const awaited = missing();
    if (awaited.length === 0) return { status: 'ok' };
    const detail = awaited.includes(STOPPING)
      ? 'The service is stopping.'
      : `The service is not ready (waiting for: ${awaited.join(', ')}).`;
    throw new ProblemError('unavailable', { detail });
  });
}

/** Adds the routes that need no token. */
export function openRoutes(app: FastifyInstance, options: RoutesOptions): void {
  const { region, names, messageBytes } = options;
  healthRoutes(app, options);
  const stream = region.streaming ? { schema: streamOperation(messageBytes) } : HIDDEN;
  app.get(STREAM_PATH, stream, async () => {
    if (!region.streaming) throw new ProblemError('unsupportedApi');
    throw invalidParameters({ upgrade: ['expected a WebSocket handshake'] });
  });
  const paths = areaPaths(names);
  const absent = (Object.keys(paths) as AreaName[]).filter(name => !region.areas.includes(name));
  const prefixes = absent.flatMap(name => paths[name].prefixes);
  for (const prefix of region.desk ? prefixes : [...prefixes, DESK_PREFIX]) {
    const refuse = async () => Promise.reject(new ProblemError('unsupportedApi'));
    // Answers before the body is read.
    const options = { ...HIDDEN, onRequest: refuse };
    app.all(prefix, options, refuse);
    app.all(`${prefix}/*`, options, refuse);
  }
}

/** Adds the routes of the account, and the check that all routes of the scope require a token. */
export function accountRoutes(app: FastifyInstance, options: RoutesOptions): void {
  const { names, region } = options;
  admitRequests(app, options);
  accountRoute(app, SPEECH_TO_TEXT_PREFIX, options);
  if (region.streaming) streamTokenRoute(app, options.streamTokens);
  if (region.areas.includes('legacy')) accountRoute(app, names.legacyPrefix, options);
}

/** Adds GET of the caller's own account. */
function accountRoute(
  app: FastifyInstance,
  prefix: string,
  { accounts }: { readonly accounts: Accounts },
): void {
  const schema = accountOperation;
  app.get(`${prefix}/account`, { schema }, async ({ accountId }): Promise<Account> => {
    const account = await accounts.find(accountId);
    if (!account) throw new ProblemError('unauthorized');
    return { email: account.email, balance_seconds: Math.max(0, Math.floor(account.balanceSeconds)) };
  });
}
