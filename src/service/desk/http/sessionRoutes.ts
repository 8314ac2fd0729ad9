import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { printableJson } from '../../../base/text.ts';
import { DESK_API_PREFIX, type DeskSessionJson, LogInSchema } from '../../../protocol/desk.ts';
import { addressOf, networkOf } from '../../../web/requestAddresses.ts';
import { createToken } from '../../accounts/tokens.ts';
import { readBody } from '../../areas/readBody.ts';
import { ProblemError, tooManyRequests } from '../../problems.ts';
import { createLocalRates, type Flow } from '../../rateLimits/bucket.ts';
import { createTally } from '../../rateLimits/tally.ts';
import type { Desk } from '../desk.ts';
import type { DeskSession } from '../deskSessions.ts';
import type { DeskUsers, KnownUser } from '../deskUsers.ts';
import { hashing } from '../passwords.ts';
import {
  COOKIE_OPTIONS,
  DESK_COOKIE,
  isSame,
  requestToken,
  sessionOf,
  setCookie,
  untilOpen,
} from './deskRequest.ts';

/** Limits of wrong passwords: of a device that its user has used before; of one network for one name, and for all names. */
const GUESSES = {
  device: { perSecond: 0.1, burst: 10 },
  name: { perSecond: 0.1, burst: 10 },
  network: { perSecond: 1, burst: 100 },
} as const satisfies Record<string, Flow>;
/**
 * Passwords that wait to be checked, each for half a second, beyond which people have to try again: those of one network or
 * device, of all unknown devices, and of all.
 */
const MAX_WAITING = { source: 8, unknown: 16, all: 24 } as const;
const BUSY_WAIT_MS = 2000;

/**
 * Adds the log-in, which needs no session. Wrong passwords are limited, right ones are not. Guesses of strangers do not count
 * against a device from which the user has logged in before.
 */
export function logInRoute(app: FastifyInstance, desk: Desk): void {
  const { users, sessions, trail } = desk;
  const rates = createLocalRates(desk.context.clock);
  const waiting = createTally();
  app.post(`${DESK_API_PREFIX}/session`, { schema: { hide: true } }, async (request, reply) => {
    const { name, password } = readBody(LogInSchema, request.body);
    await untilOpen(desk);
    const device = await knownDevice(request, users, name);
    const network = `network ${networkOf(request.ip)}`;
    const source = device === undefined ? network : `device ${device}`;
    const guesses: readonly (readonly [string, Flow])[] =
      device === undefined
        ? [
            [`${network} ${name}`, GUESSES.name],
            [network, GUESSES.network],
          ]
        : [[source, GUESSES.device]];
    const waitMs = Math.max(...guesses.map(([key, flow]) => rates.waitMs(key, flow)));
    if (waitMs > 0) throw tooManyRequests(waitMs);
    const most = device === undefined ? MAX_WAITING.unknown : MAX_WAITING.all;
    if (waiting.of(source) >= MAX_WAITING.source || hashing() >= most) throw tooManyRequests(BUSY_WAIT_MS);
    waiting.add(source, 1);
    const user = await users.authenticate(name, password).finally(() => waiting.add(source, -1));
    const session = user && (await sessions.begin(user));
    if (!session) {
      await Promise.all(guesses.map(([key, flow]) => rates.take(key, flow)));
      const failure = { user: printable(name), address: addressOf(request.ip) };
      request.log.warn(failure, 'log-in at the desk failed');
      await trail.addFailure(failure);
      throw new ProblemError('unauthorized', { detail: 'Name or password is wrong.' });
    }
    await trail.add(name, 'log in');
    setCookie(reply, session);
    rememberDevice(reply, user);
    return sessionView(session);
  });
}

/** Returns a typed name with invisible characters escaped. */
const printable = (name: string) => printableJson(name).slice(1, -1);

/** Adds the routes of the session of a request. */
export function sessionRoutes(app: FastifyInstance, { sessions, trail }: Desk): void {
  app.get('/session', { schema: { hide: true } }, async request => sessionView(sessionOf(request)));

  app.delete('/session', { schema: { hide: true } }, async (request, reply) => {
    const session = sessionOf(request);
    await sessions.end(session);
    await trail.add(session.user.name, 'log out');
    setCookie(reply);
    return reply.code(204).send();
  });
}

function sessionView(session: DeskSession): DeskSessionJson {
  return { ...session.user, token: requestToken(session) };
}

/** The longest that browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 24 * 3600;

/** Each name has its own cookie, as several people may share a browser. */
const cookieOf = (name: string) =>
  `${DESK_COOKIE}-device-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;

/** Only the service knows the hash of a password. A new password signs all devices of its user out. */
const keyOf = ({ name, password }: KnownUser, id: string) =>
  createHmac('sha256', password).update(`device ${id} ${name}`).digest('base64url');

/** Sets the cookie that identifies the device of a user who has logged in. */
function rememberDevice(reply: FastifyReply, user: KnownUser): void {
  const id = createToken();
  reply.setCookie(cookieOf(user.name), `${id}.${keyOf(user, id)}`, {
    ...COOKIE_OPTIONS,
    maxAge: MAX_AGE_SECONDS,
  });
}

/** Returns the id of a device from which the user of a name has logged in before; undefined for other devices. */
async function knownDevice(
  { cookies }: FastifyRequest,
  users: DeskUsers,
  name: string,
): Promise<string | undefined> {
  const [id, key] = cookies[cookieOf(name)]?.split('.') ?? [];
  if (!id || !key) return undefined;
  const user = await users.find(name);
  return user && isSame(key, keyOf(user, id)) ? id : undefined;
}
