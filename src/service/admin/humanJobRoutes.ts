import type { FastifyInstance } from 'fastify';
import { InvalidArgumentError } from '../../base/errors.ts';
import { ClaimSchema, ReleaseSchema, WaitingListQuerySchema } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { decodeTranscript, encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import { readBody } from '../areas/readBody.ts';
import { readQuery } from '../areas/readSubmission.ts';
import type { Jobs, JobWithInput } from '../jobs/jobs.ts';
import { ProblemError, parameterFaults } from '../problems.ts';
import { finishHuman } from '../tasks/human/finishHuman.ts';
import { parseHumanTranscript } from '../tasks/human/humanText.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';
import { type AdminContext, audit } from './adminContext.ts';
import { waitingJobView } from './views.ts';

interface OneJob {
  readonly Params: { readonly id: string };
}

/** Adds the routes of jobs that wait for a person. */
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
    if (!record) {
      throw new ProblemError('invalidJobState', { detail: 'Another person has claimed the job.' });
    }
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
    // A transcript in JSON, or text; its content shows which.
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

/** @throws ProblemError when there is no such job, or it is not waiting for a person */
async function requireWaiting({ human }: Jobs, id: string): Promise<JobWithInput> {
  const job = await human.find(id);
  if (!job) throw new ProblemError('jobNotFound');
  if (job.record.stage !== 'waiting') throw notWaiting();
  return job;
}

/**
 * Ends a job that waits for a person, with that person's result.
 *
 * @param contents a transcript in JSON, or text; see `parseHumanTranscript`
 * @throws ProblemError when it cannot be read, or the job is not waiting
 */
async function finishJob(jobs: Jobs, id: string, contents: string): Promise<void> {
  const { record, input } = await requireWaiting(jobs, id);
  const machine = await jobs.result(id, 'transcript');
  if (machine === undefined) throw notWaiting();
  const wanted = input as TranscriptionInput;
  const work = readWork(contents, wanted.human?.speakerNames);
  const draft = {
    transcript: decodeTranscript(JSON.parse(machine)),
    seconds: record.durationSeconds ?? 0,
  };
  const transcript = JSON.stringify(encodeTranscript(finishHuman(work, draft, wanted)));
  if (!(await jobs.human.finish(id, { status: 'done' }, { transcript }))) throw notWaiting();
}

function readWork(contents: string, speakerNames: readonly string[] | undefined): Transcript {
  try {
    return parseHumanTranscript(contents, speakerNames);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new ProblemError('invalidParameters', parameterFaults({ request: [error.message] }));
  }
}

function notWaiting(): ProblemError {
  return new ProblemError('invalidJobState', { detail: 'The job is not waiting for a person.' });
}
