import type { FastifyInstance } from 'fastify';
import { DeskPasswordSchema, NewDeskUserSchema } from '../../protocol/desk.ts';
import { readBody } from '../areas/readBody.ts';
import type { Desk } from '../desk/desk.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { deskJobRoutes } from './humanJobRoutes.ts';

interface OneUser {
  readonly Params: { readonly name: string };
}

/** Adds the routes of the desk. Where people cannot transcribe, they answer 404. */
export function deskRoutes(app: FastifyInstance, context: AdminContext): void {
  const { desk, region } = context;
  if (!region.desk) {
    app.all('/desk/*', async () => Promise.reject(new ProblemError('unsupportedApi')));
    return;
  }
  deskUserRoutes(app, desk);
  deskJobRoutes(app, desk, context);
}

/** Adds the routes of the users of the desk, and of what they propose. */
function deskUserRoutes(app: FastifyInstance, { users, trail }: Desk): void {
  app.get('/desk/users', () => users.list());

  app.post('/desk/users', async request => {
    const { name, role, password } = readBody(NewDeskUserSchema, request.body);
    const user = await users.add({ name, role }, password);
    if (!user) throw invalidParameters({ name: ['is taken'] });
    audit(request, 'add desk user', { user: name, role });
    return user;
  });

  app.post<OneUser>('/desk/users/:name/disable', async (request, reply) => {
    const { name } = request.params;
    if (!(await users.disable(name))) throw noSuchUser();
    audit(request, 'disable desk user', { user: name });
    return reply.code(204).send();
  });

  app.post<OneUser>('/desk/users/:name/password', async (request, reply) => {
    const { name } = request.params;
    const { password } = readBody(DeskPasswordSchema, request.body);
    if (!(await users.setPassword(name, password))) throw noSuchUser();
    audit(request, 'change password of desk user', { user: name });
    return reply.code(204).send();
  });

  app.get('/desk/proposals', () => trail.proposals());
  app.get('/desk/events', () => trail.events());
}

function noSuchUser(): ProblemError {
  return new ProblemError('notFound', { detail: 'There is no such user of the desk.' });
}
