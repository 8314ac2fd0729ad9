import type { FastifyInstance } from 'fastify';
import { ClaimSchema, ReleaseSchema, WaitingListQuerySchema } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { readQuery } from '../areas/readQuery.ts';
import { ProblemError } from '../problems.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { finishJob, requireWaiting } from './finishJob.ts';
import { readBody } from './readBody.ts';
import { waitingJobView } from './views.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

/** Jobs that wait for a person. */
export function humanJobRoutes(app: FastifyInstance, context: AdminContext): void {
  const { human } = context.jobs;

  app.get('/human-jobs', async ({ query }) => {
    const { limit = LIST_LIMIT.default } = readQuery(WaitingListQuerySchema, query);
    return (await human.waiting({ limit })).map(waitingJobView);
  });

  app.post<OneJob>('/human-jobs/:id/claim', async request => {
    const { worker, seconds } = readBody(ClaimSchema, request.body);
    const { id } = request.params;
    await requireWaiting(context.jobs, id);
    const record = await human.claim(id, worker, seconds);
    if (!record) throw new ProblemError('invalidJobState', { detail: 'Another person has the job' });
    audit(request, 'claim job', { job: id, seconds });
    return waitingJobView(record);
  });

  app.post<OneJob>('/human-jobs/:id/release', async (request, reply) => {
    const { worker } = readBody(ReleaseSchema, request.body);
    const { id } = request.params;
    await requireWaiting(context.jobs, id);
    await human.release(id, worker);
    audit(request, 'release job', { job: id });
    return reply.code(204).send();
  });

  app.register(async scope => {
    // A transcript or text: what is in it says which.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const bodyLimit = context.limits.longBodyBytes;
    scope.post<OneJob>('/human-jobs/:id/finish', { bodyLimit }, async (request, reply) => {
      const { id } = request.params;
      await finishJob(context.jobs, id, String(request.body ?? ''));
      audit(request, 'finish job', { job: id });
      return reply.code(204).send();
    });
  });
}
