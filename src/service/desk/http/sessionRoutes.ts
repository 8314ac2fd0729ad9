import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DESK_API_PREFIX, type DeskSessionJson, LogInSchema } from '../../../protocol/desk.ts';
import { readBody } from '../../areas/readBody.ts';
import { ProblemError, tooManyRequests } from '../../problems.ts';
import { networkOf } from '../../rateLimits/authenticationThrottle.ts';
import type { Flow, Rates } from '../../rateLimits/bucket.ts';
import type { Desk } from '../desk.ts';
import type { DeskSession } from '../deskSessions.ts';
import { requestToken, sessionOf, setCookie, untilOpen } from './deskRequest.ts';

/** Log-ins of one network, and under one name: passwords can be guessed, and each check takes much memory. */
const LOG_INS: Flow = { perSecond: 0.1, burst: 20 };

/** Adds the log-in, which needs no session. */
export function logInRoute(app: FastifyInstance, desk: Desk, rates: Rates): void {
  app.post(`${DESK_API_PREFIX}/session`, { schema: { hide: true } }, async (request, reply) => {
    const { name, password } = readBody(LogInSchema, request.body);
    await untilOpen(desk);
    await limitLogIns(request, name, rates);
    const user = await desk.users.authenticate(name, password);
    if (!user) throw new ProblemError('unauthorized', { detail: 'Name or password is wrong.' });
    const session = await desk.sessions.begin(user);
    await desk.trail.add(user.name, 'log in');
    setCookie(reply, session);
    return sessionView(session);
  });
}

/** @throws ProblemError `tooManyRequests` */
async function limitLogIns({ ip }: FastifyRequest, name: string, rates: Rates): Promise<void> {
  for (const key of [`network ${networkOf(ip)}`, `name ${name}`]) {
    const waitMs = await rates.take(key, LOG_INS);
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }
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
