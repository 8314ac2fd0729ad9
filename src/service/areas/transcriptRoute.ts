import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Negotiator from 'negotiator';
import { TEXT_MEDIA_TYPE } from '../../protocol/brand.ts';
import { decodeTranscript } from '../../protocol/transcriptJson.ts';
import { writePlainText } from '../../transcript/formats/plainText.ts';
import { ProblemError } from '../problems.ts';
import type { Area, AreaContext } from './area.ts';
import { JobParametersSchema, requireJob } from './jobRoutes.ts';
import { statusWord } from './jobView.ts';

/** Characters of a header that an answer repeats. */
const MAX_ECHO = 200;

/** GET of the transcript of one job, in the media type that `Accept` names. */
export function transcriptRoute(area: Area, context: AreaContext): FastifyPluginAsyncTypebox {
  const jsonType = context.names.transcriptMediaType;
  return async app => {
    app.get('/jobs/:id/transcript', { schema: { params: JobParametersSchema } }, async (request, reply) => {
      const mediaType = chooseMediaType(request.headers.accept, [TEXT_MEDIA_TYPE, jsonType]);
      const record = await requireJob(context, request.accountId, request.params.id);
      if (record.status !== 'done') {
        throw new ProblemError('invalidJobState', {
          allowed_values: [area.doneWord],
          current_value: statusWord(record, area),
          detail: 'Job is in invalid state to obtain the transcript',
        });
      }
      const json = await context.jobs.result(record.id, 'transcript');
      // Deleted since the record was read.
      if (json === undefined) throw new ProblemError('jobNotFound');
      reply.header('vary', 'Accept');
      if (mediaType === jsonType) return reply.type(jsonType).send(json);
      return reply
        .type(`${TEXT_MEDIA_TYPE}; charset=utf-8`)
        .send(writePlainText(decodeTranscript(JSON.parse(json))));
    });
  };
}

/** The best of the media types that a header names; one that it only covers by a wildcard does not count. */
function chooseMediaType(accept: string | undefined, supported: readonly string[]): string {
  const wanted = accept === undefined ? [] : new Negotiator({ headers: { accept } }).mediaTypes();
  const chosen = wanted.map(type => type.toLowerCase()).find(type => supported.includes(type));
  if (chosen !== undefined) return chosen;
  throw new ProblemError('unsupportedTranscriptFormat', {
    allowed_values: [...supported],
    detail:
      accept === undefined
        ? 'The Accept header is missing'
        : `The Accept value '${accept.slice(0, MAX_ECHO)}' is not a supported transcript format`,
  });
}
