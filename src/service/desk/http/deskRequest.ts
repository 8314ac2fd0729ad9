import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { settledWithin, withTimeout } from '../../../base/wait/withTimeout.ts';
import type { DeskEndingJson } from '../../../protocol/desk.ts';
import { DESK_TOKEN_HEADER } from '../../../protocol/limits.ts';
import { ProblemError } from '../../problems.ts';
import { STORE_WAIT_MS } from '../../rateLimits/admitRequests.ts';
import type { Desk } from '../desk.ts';
import type { DeskContext } from '../deskContext.ts';
import type { Ending } from '../deskFinish.ts';
import { type DeskSession, sessionKey } from '../deskSessions.ts';
import type { DeskUser } from '../deskUsers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request of the desk. */
    deskSession?: DeskSession;
  }
}

/** The prefix makes browsers refuse the cookie of another host, and over a connection that can be read. */
export const DESK_COOKIE = '__Host-desk';

export const COOKIE_OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const;

/** Sets the cookie of a session; without one, removes it. It ends with the browser. */
export function setCookie(reply: FastifyReply, session?: DeskSession): void {
  if (session) reply.setCookie(DESK_COOKIE, session.secret, COOKIE_OPTIONS);
  else reply.clearCookie(DESK_COOKIE, COOKIE_OPTIONS);
}

/** Returns the token that requests with effects must send: no other page can read it. */
export const requestToken = (session: DeskSession) => sessionKey(session, 'request');

/** Requires a session for all routes of a scope, and its token for those with effects. */
export function requireSession(app: FastifyInstance, desk: Desk): void {
  app.addHook('onRequest', async request => {
    await untilOpen(desk);
    const secret = request.cookies[DESK_COOKIE];
    const session = secret === undefined ? undefined : await desk.sessions.find(secret);
    if (!session) throw new ProblemError('unauthorized');
    const isSafe = request.method === 'GET' || request.method === 'HEAD';
    const given = String(request.headers[DESK_TOKEN_HEADER] ?? '');
    if (!isSafe && !isSame(given, requestToken(session))) {
      throw new ProblemError('forbidden', { detail: `The header ${DESK_TOKEN_HEADER} is missing or wrong.` });
    }
    request.deskSession = session;
  });
}

/** @throws RxscribeError `timeout`, `store` when the store does not open */
export async function untilOpen({ context: { opened, clock } }: Desk): Promise<void> {
  await withTimeout(opened, { clock, timeoutMs: STORE_WAIT_MS });
}

/** Returns whether two secrets are equal, in a time that does not depend on where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Lets only admins pass. */
export function requireAdmin(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if (userOf(request).role !== 'admin') throw new ProblemError('forbidden');
  });
}

/** Milliseconds after which the request is answered while the work continues: proxies end a request that takes a minute. */
const ENDING_WAIT_MS = 2000;

/**
 * Answers a request that ends a job with 204; while the work continues, with 202, after which a repeated request waits again.
 */
export async function answerEnding(
  reply: FastifyReply,
  ending: Ending,
  { clock }: Pick<DeskContext, 'clock'>,
) {
  await settledWithin(ENDING_WAIT_MS, ending.ended, clock);
  if (!ending.isSettled) {
    const body: DeskEndingJson = { progress: ending.progress };
    return reply.code(202).send(body);
  }
  await ending.ended;
  return reply.code(204).send();
}

export const userOf = (request: FastifyRequest): DeskUser => sessionOf(request).user;

export function sessionOf({ deskSession }: FastifyRequest): DeskSession {
  if (!deskSession) throw new ProblemError('unauthorized');
  return deskSession;
}
