import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { ProblemError } from '../problems.ts';
import type { Area, AreaContext, ResultKind } from './area.ts';
import { requireJob } from './jobRoutes.ts';
import { statusInArea } from './jobView.ts';
import { resultOperation } from './operations.ts';
import { readQuery } from './readSubmission.ts';

const NO_QUERY = Type.Object({});

/** Adds GET of a result, in the media type named by `Accept`. */
export function resultRoute(
  app: FastifyInstance,
  path: string,
  { area, kind, context }: { readonly area: Area; readonly kind: ResultKind; readonly context: AreaContext },
): void {
  const schema = resultOperation(area, kind, context.names);
  app.get(`${path}/:id/${kind.path}`, { schema }, async (request, reply) => {
    const mediaType = chooseMediaType(request.headers.accept, kind, context.names);
    const query = readQuery(kind.query ?? NO_QUERY, request.query);
    const record = await requireJob(area, context, request);
    if (record.status !== 'done') {
      throw new ProblemError('invalidJobState', {
        allowed_values: [area.doneStatus],
        current_value: statusInArea(record, area),
        detail: `Job is in invalid state to obtain the ${kind.path}`,
      });
    }
    const source = await context.jobs.result(record.id, kind.source ?? kind.path);
    // The job was deleted after its record was read.
    if (source === undefined) throw new ProblemError(area.notFound);
    const body = kind.render(source, { record, mediaType, query: query as Record<string, unknown> });
    return (
      reply
        .header('vary', 'Accept')
        .type(mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
        // As bytes: the framework would add a charset to a string, whatever the media type.
        .send(Buffer.from(body))
    );
  });
}

/** Maximum characters of a header repeated in an answer. */
const MAX_ECHO = 200;

/**
 * Returns the media type of a result that an Accept header prefers.
 *
 * @throws ProblemError when it accepts none of them
 */
function chooseMediaType(
  accept: string | undefined,
  { isStrict, unacceptable, ...kind }: ResultKind,
  names: BrandNames,
): string {
  const supported = kind.mediaTypes(names);
  // No two types differ only in parameters, such as the charset.
  const ranges = accept?.replaceAll(/;(?!\s*q=)[^;,]*/gi, '');
  const negotiator = new Negotiator({ headers: { accept: accept ? ranges : isStrict ? 'none' : '*/*' } });
  const named = negotiator.mediaTypes().map(type => type.toLowerCase());
  const chosen = isStrict
    ? (named.find(type => supported.includes(type)) ??
      (named.includes('*/*') ? kind.wildcard?.(names) : undefined))
    : negotiator.mediaType([...supported]);
  if (chosen !== undefined) return chosen.toLowerCase();
  const value = accept?.slice(0, MAX_ECHO);
  throw new ProblemError(unacceptable, {
    allowed_values: [...supported],
    current_value: value,
    detail:
      value === undefined ? 'The Accept header is missing.' : `The Accept value '${value}' is not supported.`,
  });
}
