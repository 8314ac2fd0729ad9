import type { FastifyInstance } from 'fastify';
import {
  DeskChangeSchema,
  DeskFinishSchema,
  DeskProposalSchema,
  type DeskSavedJson,
} from '../../../protocol/desk.ts';
import { readBody } from '../../areas/readBody.ts';
import type { HttpLimits } from '../../limits.ts';
import { ProblemError } from '../../problems.ts';
import type { Desk } from '../desk.ts';
import { claimedNow } from '../deskContext.ts';
import { readFinished } from '../deskFigures.ts';
import { audioLink } from './audioRoute.ts';
import { answerEnding, sessionOf, userOf } from './deskRequest.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

const schema = { hide: true } as const;

/** Adds the routes of the queue and of the jobs in it. */
export function jobRoutes(app: FastifyInstance, desk: Desk, { longBodyBytes: bodyLimit }: HttpLimits): void {
  const { queue, texts, trail } = desk;
  app.addHook('onRequest', async ({ params }) => {
    // No id contains it, and the database refuses to compare it.
    if (Object.values(params as object).some(part => part.includes('\0'))) throw new ProblemError('notFound');
  });

  app.get('/jobs', { schema }, () => queue.list());

  app.get('/finished', { schema }, request => readFinished(desk.context, userOf(request)));

  app.post<OneJob>('/jobs/:id/claim', { schema }, async request => {
    const { id } = request.params;
    const { job, isNew } = await queue.claim(userOf(request), id);
    if (isNew) await trail.add(userOf(request).name, 'claim', id);
    return job;
  });

  app.post<OneJob>('/jobs/:id/release', { schema }, async (request, reply) => {
    const user = userOf(request);
    const { id } = request.params;
    const released = await queue.release(user, id);
    if (released) await trail.add(user.name, released === 'own' ? 'release' : 'take back', id);
    return reply.code(204).send();
  });

  app.get<OneJob>('/jobs/:id', { schema }, async request => {
    const { id } = request.params;
    const opened = await queue.open(userOf(request), id);
    await trail.add(userOf(request).name, 'open', id);
    return opened;
  });

  app.get<OneJob>('/jobs/:id/draft', { schema }, request => texts.read(userOf(request), request.params.id));

  app.get<OneJob>('/jobs/:id/machine', { schema }, request =>
    texts.machine(userOf(request), request.params.id),
  );

  app.patch<OneJob>('/jobs/:id/draft', { schema, bodyLimit }, async (request): Promise<DeskSavedJson> => {
    const change = readBody(DeskChangeSchema, request.body);
    return { revision: await texts.save(userOf(request), request.params.id, change) };
  });

  app.post<OneJob>('/jobs/:id/finish', { schema }, async (request, reply) => {
    const { revision } = readBody(DeskFinishSchema, request.body);
    const { id } = request.params;
    const user = userOf(request);
    const ending = desk.ends.begin(id, ['finish', user.name, revision], begun =>
      desk.ends.finish(begun, user, revision),
    );
    return answerEnding(reply, ending, desk.context);
  });

  app.post<OneJob>('/jobs/:id/proposals', { schema }, async (request, reply) => {
    const { phrase } = readBody(DeskProposalSchema, request.body);
    const job = await claimedNow(desk.context, userOf(request), request.params.id);
    await trail.propose(userOf(request), job, phrase);
    await trail.add(userOf(request).name, 'propose term', job.id);
    return reply.code(204).send();
  });
  soundRoutes(app, desk);
}

/** Adds the routes of the audio. */
function soundRoutes(app: FastifyInstance, desk: Desk): void {
  const { sound, trail } = desk;

  app.get<OneJob>('/jobs/:id/peaks', { schema }, async request =>
    sound.peaks(await claimedNow(desk.context, userOf(request), request.params.id)),
  );

  app.post<OneJob>('/jobs/:id/audio', { schema }, async request => {
    const { id } = await claimedNow(desk.context, userOf(request), request.params.id);
    await trail.add(userOf(request).name, 'listen', id);
    return audioLink(sessionOf(request), id, desk.context.clock.wallTime());
  });
}
