import type { FastifyInstance } from 'fastify';
import {
  ClaimSchema,
  type DeskExportJson,
  DeskImportQuerySchema,
  DeskWorkerQuerySchema,
  ReleaseSchema,
  WaitingListQuerySchema,
} from '../../protocol/admin.ts';
import { DESK_LIMITS, LIST_LIMIT } from '../../protocol/limits.ts';
import { readBody } from '../areas/readBody.ts';
import { readQuery } from '../areas/readSubmission.ts';
import type { Desk } from '../desk/desk.ts';
import { claimedJob, conflict, isClaimed, waitingJob, workerName } from '../desk/deskContext.ts';
import type { DeskUser } from '../desk/deskUsers.ts';
import { answerEnding } from '../desk/http/deskRequest.ts';
import { textOfWork } from '../desk/readWork.ts';
import { inScope } from '../http/inScope.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { ProblemError } from '../problems.ts';
import { writeHumanText } from '../tasks/human/humanText.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { waitingJobView } from './views.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

interface OneWork extends OneJob {
  readonly Body: Buffer | undefined;
}

/** Name of the claims of an operator who names no worker. */
const OPERATOR = 'an operator';

const workerOf = (name: string): DeskUser => ({ name: workerName(name), role: 'transcriber' });

/** Adds the routes by which jobs are transcribed elsewhere than at the desk. */
export function deskJobRoutes(app: FastifyInstance, desk: Desk, { limits }: AdminContext): void {
  const { context, queue, texts, sound, trail, ends } = desk;
  const { human } = context.jobs;
  const now = () => new Date(context.clock.wallTime());

  app.post<OneJob>('/desk/jobs/:id/export', async (request): Promise<DeskExportJson> => {
    const { worker, seconds } = readBody(ClaimSchema, request.body);
    const { id } = request.params;
    const before = await waitingJob((await context.opened).db, id);
    if (!(await human.claim(id, workerName(worker), seconds))) throw conflict('claimed');
    const user = workerOf(worker);
    const [instructions, words] = await Promise.all([queue.open(user, id), texts.read(user, id)]);
    await trail.add(worker, 'export', id);
    audit(request, 'export job', { job: id, seconds });
    const is_new_claim = !isClaimed(before, now());
    return {
      instructions,
      words,
      text: writeHumanText(words.turns, words.speaker_names),
      is_new_claim,
    };
  });

  app.get<OneJob>('/desk/jobs/:id/audio', async (request, reply) => {
    const { worker } = readQuery(DeskWorkerQuerySchema, request.query);
    const { db } = await context.opened;
    const job = await claimedJob(db, { id: request.params.id, user: workerOf(worker), now: now() });
    const part = await sound.read(job, { start: 0 });
    if (!part) throw conflict('ended');
    return reply.type('audio/wav').header('content-length', part.size).send(part.bytes);
  });

  inScope(app, scope => {
    acceptAnyText(scope);
    const bodyLimit = limits.longBodyBytes;
    scope.post<OneWork>('/desk/jobs/:id/import', { bodyLimit }, async (request, reply) => {
      const { worker = OPERATOR } = readQuery(DeskImportQuerySchema, request.query);
      const { id } = request.params;
      const contents = await textOfWork(request.body ?? Buffer.of());
      const ending = ends.begin(id, ['import', worker, contents], async begun => {
        const before = await waitingJob((await context.opened).db, id);
        const isNew = !isClaimed(before, now());
        // The job is claimed until its words have times. An existing claim may last longer.
        const seconds = DESK_LIMITS.leaseSeconds + Math.ceil(before.durationSeconds ?? 0);
        const until = new Date(now().getTime() + 1000 * seconds);
        const isLong = before.claimedBy === workerName(worker) && isClaimed(before, until);
        if (!isLong && !(await human.claim(id, workerName(worker), seconds))) throw conflict('claimed');
        try {
          await ends.finishWith(begun, contents, workerOf(worker));
        } catch (error) {
          if (isNew) await human.release(id, workerName(worker));
          throw error;
        }
        audit(request, 'import job', { job: id });
      });
      return answerEnding(reply, ending, context);
    });
  });
}

/** Takes the bytes of bodies of any media type; their content shows what they are. */
function acceptAnyText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
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
    scope.post<OneWork>('/human-jobs/:id/finish', { bodyLimit }, async (request, reply) => {
      const { id } = request.params;
      const contents = await textOfWork(request.body ?? Buffer.of());
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
  if (job.record.stage !== 'waiting') {
    throw new ProblemError('invalidJobState', { detail: 'The job is not waiting for a person.' });
  }
}
