import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ProblemError } from '../problems.ts';
import type { Area, AreaContext } from './area.ts';
import { requireJob } from './jobRoutes.ts';
import { statusWord } from './jobView.ts';
import { chooseMediaType } from './mediaType.ts';
import { readQuery } from './readQuery.ts';
import type { ResultKind } from './resultKind.ts';

const NO_QUERY = Type.Object({});

/** GET of something that a job left, in the media type that `Accept` names. */
export function resultRoute(
  app: FastifyInstance,
  path: string,
  { area, kind, context }: { readonly area: Area; readonly kind: ResultKind; readonly context: AreaContext },
): void {
  const supported = kind.mediaTypes(context.names);
  const config = { operation: { action: 'result', area, kind } } as const;
  app.get(`${path}/:id/${kind.path}`, { config }, async (request, reply) => {
    const mediaType = chooseMediaType(request.headers.accept, { ...kind, supported });
    const query = readQuery(kind.query ?? NO_QUERY, request.query);
    const record = await requireJob(area, context, request);
    if (record.status !== 'done') {
      throw new ProblemError('invalidJobState', {
        allowed_values: [area.doneWord],
        current_value: statusWord(record, area),
        detail: `Job is in invalid state to obtain the ${kind.path}`,
      });
    }
    const source = await context.jobs.result(record.id, kind.source);
    // Deleted since the record was read.
    if (source === undefined) throw new ProblemError(area.notFound);
    const body = kind.render(source, { record, mediaType, query: query as Record<string, unknown> });
    return (
      reply
        .header('vary', 'Accept')
        .type(mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
        // As bytes: to a text the framework would add a charset, whatever the media type.
        .send(Buffer.from(body))
    );
  });
}
