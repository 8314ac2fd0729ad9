import type { FastifyInstance } from 'fastify';
import { ClaimSchema, ReleaseSchema, WaitingListQuerySchema } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { readQuery } from '../areas/readQuery.ts';
import { ProblemError } from '../problems.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { readBody } from './readBody.ts';
import { waitingJobView } from './views.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

/** Jobs that wait for a person. */
export function humanJobRoutes(app: FastifyInstance, { jobs: { human } }: AdminContext): void {
  app.get('/human-jobs', async ({ query }) => {
    const { limit = LIST_LIMIT.default } = readQuery(WaitingListQuerySchema, query);
    return (await human.waiting({ limit })).map(waitingJobView);
  });

  app.post<OneJob>('/human-jobs/:id/claim', async request => {
    const { worker, seconds } = readBody(ClaimSchema, request.body);
    const { id } = request.params;
    const record = await human.claim(id, worker, seconds);
    if (!record) {
      throw new ProblemError('invalidJobState', {
        detail: 'The job does not wait for a person, or another one has it',
      });
    }
    audit(request, 'claim job', { job: id, seconds });
    return waitingJobView(record);
  });

  app.post<OneJob>('/human-jobs/:id/release', async (request, reply) => {
    const { worker } = readBody(ReleaseSchema, request.body);
    await human.release(request.params.id, worker);
    audit(request, 'release job', { job: request.params.id });
    return reply.code(204).send();
  });
}
