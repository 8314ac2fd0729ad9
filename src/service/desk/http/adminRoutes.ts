import type { FastifyInstance } from 'fastify';
import type { Desk } from '../desk.ts';
import { deskUserView } from '../deskUsers.ts';

const schema = { hide: true } as const;

/** Adds the routes of admins of the desk. */
export function adminRoutes(app: FastifyInstance, { users, trail }: Desk): void {
  app.get('/events', { schema }, () => trail.events());
  app.get('/proposals', { schema }, () => trail.proposals());
  app.get('/users', { schema }, async () => (await users.list()).map(deskUserView));
}
