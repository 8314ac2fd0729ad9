import type { FastifyInstance } from 'fastify';
import { ClaimSchema, ReleaseSchema, WaitingListQuerySchema } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { readBody } from '../areas/readBody.ts';
import { readQuery } from '../areas/readSubmission.ts';
import { workerName } from '../desk/deskContext.ts';
import { answerEnding } from '../desk/http/deskRequest.ts';
import { inScope } from '../http/inScope.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { ProblemError } from '../problems.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { acceptAnyText } from './deskJobRoutes.ts';
import { waitingJobView } from './views.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

/** Adds the routes of jobs that wait for a person. */
export function humanJobRoutes(app: FastifyInstance, context: AdminContext): void {
  const { human } = context.jobs;
  const { ends } = context.desk;

  app.get('/human-jobs', async ({ query }) => {
    const { limit = LIST_LIMIT.default } = readQuery(WaitingListQuerySchema, query);
    const now = new Date(context.clock.wallTime());
    return (await human.waiting({ limit })).map(record => waitingJobView(record, now));
  });

  app.post<OneJob>('/human-jobs/:id/claim', async request => {
    const { worker, seconds } = readBody(ClaimSchema, request.body);
    const { id } = request.params;
    await requireWaiting(context.jobs, id);
    const record = await human.claim(id, workerName(worker), seconds);
    if (!record) {
      throw new ProblemError('invalidJobState', { detail: 'Another person has claimed the job.' });
    }
    audit(request, 'claim job', { job: id, seconds });
    return waitingJobView(record, new Date(context.clock.wallTime()));
  });

  app.post<OneJob>('/human-jobs/:id/release', async (request, reply) => {
    const { worker } = readBody(ReleaseSchema, request.body);
    const { id } = request.params;
    await requireWaiting(context.jobs, id);
    await human.release(id, workerName(worker));
    audit(request, 'release job', { job: id });
    return reply.code(204).send();
  });

  inScope(app, scope => {
    acceptAnyText(scope);
    const bodyLimit = context.limits.longBodyBytes;
    scope.post<OneJob>('/human-jobs/:id/finish', { bodyLimit }, async (request, reply) => {
      const { id } = request.params;
      const contents = String(request.body ?? '');
      const ending = ends.begin(id, ['finish', contents], async begun => {
        await requireWaiting(context.jobs, id);
        await ends.finishWith(begun, contents);
        audit(request, 'finish job', { job: id });
      });
      return answerEnding(reply, ending, context);
    });
  });
}

/** @throws ProblemError when there is no such job, or it is not waiting for a person */
async function requireWaiting({ human }: Jobs, id: string): Promise<void> {
  const job = await human.find(id);
  if (!job) throw new ProblemError('jobNotFound');
  if (job.record.stage !== 'waiting') throw notWaiting();
}

function notWaiting(): ProblemError {
  return new ProblemError('invalidJobState', { detail: 'The job is not waiting for a person.' });
}
