import type { FastifyInstance } from 'fastify';
import { DESK_API_PREFIX, type DeskSessionJson, LogInSchema } from '../../../protocol/desk.ts';
import { readBody } from '../../areas/readBody.ts';
import { ProblemError, tooManyRequests } from '../../problems.ts';
import { networkOf } from '../../rateLimits/authenticationThrottle.ts';
import type { Flow, LocalRates } from '../../rateLimits/bucket.ts';
import type { Desk } from '../desk.ts';
import type { DeskSession } from '../deskSessions.ts';
import { hashing } from '../passwords.ts';
import { requestToken, sessionOf, setCookie, untilOpen } from './deskRequest.ts';

/** Wrong passwords of one network for one name, and for all names: behind a proxy, everybody has the same network. */
const GUESSES = {
  name: { perSecond: 0.1, burst: 10 },
  network: { perSecond: 1, burst: 100 },
} as const satisfies Record<string, Flow>;
/** Passwords that wait to be checked, each for half a second, beyond which people have to try again. */
const MAX_WAITING = 8;
const BUSY_WAIT_MS = 2000;

/** Adds the log-in, which needs no session. Wrong passwords are limited, right ones are not. */
export function logInRoute(app: FastifyInstance, desk: Desk, rates: LocalRates): void {
  app.post(`${DESK_API_PREFIX}/session`, { schema: { hide: true } }, async (request, reply) => {
    const { name, password } = readBody(LogInSchema, request.body);
    await untilOpen(desk);
    const network = networkOf(request.ip);
    const guesses = [
      [`name ${network} ${name}`, GUESSES.name],
      [`network ${network}`, GUESSES.network],
    ] as const;
    const waitMs = Math.max(...guesses.map(([key, flow]) => rates.waitMs(key, flow)));
    if (waitMs > 0) throw tooManyRequests(waitMs);
    if (hashing() >= MAX_WAITING) throw tooManyRequests(BUSY_WAIT_MS);
    const user = await desk.users.authenticate(name, password);
    const session = user && (await desk.sessions.begin(user));
    if (!session) {
      await Promise.all(guesses.map(([key, flow]) => rates.take(key, flow)));
      throw new ProblemError('unauthorized', { detail: 'Name or password is wrong.' });
    }
    await desk.trail.add(name, 'log in');
    setCookie(reply, session);
    return sessionView(session);
  });
}

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
