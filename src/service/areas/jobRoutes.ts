import type { FastifyInstance } from 'fastify';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { ListQuerySchema } from '../../protocol/queries.ts';
import { DAY_MS } from '../jobs/retention.ts';
import { invalidParameters, ProblemError } from '../problems.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import type { Area, AreaContext } from './area.ts';
import { statusInArea, viewIn } from './jobView.ts';
import { deleteOperation, getOperation, listOperation } from './operations.ts';
import { readQuery } from './readSubmission.ts';

/** Possible ids: the database refuses some characters that a path may contain. */
const ID = /^[0-9A-Za-z]{1,64}$/;

/** Returns a job of the account, of a type that belongs to the area. */
export async function requireJob(
  area: Area,
  { jobs }: AreaContext,
  { accountId, params }: { readonly accountId: string; readonly params: unknown },
): Promise<JobRecord> {
  const { id } = params as { id: string };
  const record = ID.test(id) ? await jobs.find(accountId, id) : undefined;
  if (!record || !area.types.includes(record.type)) throw new ProblemError(area.notFound);
  return record;
}

/** Returns the time from which jobs are listed; undefined for all. */
function listStart({ listWindowDays: days }: Area, { clock }: AreaContext): Date | undefined {
  return days === undefined ? undefined : new Date(clock.wallTime() - days * DAY_MS);
}

/** Adds GET of a page of jobs, newest first. */
export function listRoute(app: FastifyInstance, path: string, area: Area, context: AreaContext): void {
  app.get(path, { schema: listOperation(area) }, async ({ accountId, query }) => {
    const { limit = LIST_LIMIT.default, starting_after: startingAfter } = readQuery(ListQuerySchema, query);
    const isId = startingAfter === undefined || ID.test(startingAfter);
    const filter = { types: area.types, since: listStart(area, context), startingAfter, limit };
    const page = isId ? await context.jobs.list(accountId, filter) : undefined;
    if (!page) throw invalidParameters({ starting_after: ['must be an id of this list'] });
    return page.map(record => viewIn(area, record));
  });
}

/** Adds GET and DELETE of one job. */
export function jobRoutes(app: FastifyInstance, path: string, area: Area, context: AreaContext): void {
  app.get(`${path}/:id`, { schema: getOperation(area) }, async request =>
    viewIn(area, await requireJob(area, context, request)),
  );

  app.delete(`${path}/:id`, { schema: deleteOperation(area) }, async (request, reply) => {
    const record = await requireJob(area, context, request);
    if (record.status === 'in_progress') {
      throw new ProblemError('invalidJobState', {
        allowed_values: [area.doneStatus, 'failed'],
        current_value: statusInArea(record, area),
        detail: 'Job is in invalid state to be deleted',
      });
    }
    await context.jobs.remove(record.id);
    return reply.code(204).send();
  });
}
