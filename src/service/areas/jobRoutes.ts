import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { JobSchema } from '../../protocol/jobs.ts';
import type { JobRecord } from '../jobs/record.ts';
import { ProblemError } from '../problems.ts';
import type { Area, AreaContext } from './area.ts';
import { jobView, statusWord } from './jobView.ts';

export const JobParametersSchema = Type.Object({ id: Type.String() });

/** A job of the account that asks. */
export async function requireJob({ jobs }: AreaContext, accountId: string, id: string): Promise<JobRecord> {
  const record = await jobs.find(accountId, id);
  if (!record) throw new ProblemError('jobNotFound');
  return record;
}

/** GET and DELETE of one job. */
export function jobRoutes(area: Area, context: AreaContext): FastifyPluginAsyncTypebox {
  return async app => {
    app.get(
      '/jobs/:id',
      { schema: { params: JobParametersSchema, response: { 200: JobSchema } } },
      async ({ accountId, params }) => jobView(await requireJob(context, accountId, params.id), area),
    );

    app.delete('/jobs/:id', { schema: { params: JobParametersSchema } }, async (request, reply) => {
      const record = await requireJob(context, request.accountId, request.params.id);
      if (record.status === 'in_progress') {
        throw new ProblemError('invalidJobState', {
          allowed_values: [area.doneWord, 'failed'],
          current_value: statusWord(record, area),
          detail: 'Job is in invalid state to be deleted',
        });
      }
      await context.jobs.remove(record.id);
      return reply.code(204).send();
    });
  };
}
