// Descriptions of the routes of areas in the API reference.

import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { ListQuerySchema } from '../../protocol/queries.ts';
import type { HttpLimits } from '../limits.ts';
import { inMib, refTo } from '../openApi/components.ts';
import { jsonResponse, problemResponses, WITH_BODY } from '../openApi/responses.ts';
import type { ProblemCode } from '../problems.ts';
import type { Area, ResultKind } from './area.ts';
import { maxJsonBytes } from './submission.ts';

const withId = (area: Area) => ({
  params: Type.Object({ id: Type.String({ description: `Id of the ${area.noun.one}.` }) }),
});

export function submitOperation(area: Area, limits: HttpLimits): FastifySchema {
  const { schema, takesMedia, isFree, namesVocabulary, example } = area.submission;
  const json = { schema: { allOf: [refTo(schema)], examples: [example] } };
  const form = Type.Object(
    {
      media: Type.String({ format: 'binary', description: 'The media file.' }),
      options: Type.Optional(Type.Unsafe(refTo(schema))),
    },
    {
      description:
        'The parts may come in any order; without `options`, `config` is read. Other parts are named in `ignored_options`.',
    },
  );
  const problems: readonly ProblemCode[] = [
    ...WITH_BODY,
    ...(isFree ? [] : (['outOfCredit'] as const)),
    ...(namesVocabulary ? (['vocabularyNotFound', 'unsupportedApi'] as const) : []),
  ];
  return {
    tags: [area.title],
    summary: `Submit a ${area.noun.one}`,
    description: sizesOf(area, limits),
    body: {
      content: { 'application/json': json, ...(takesMedia && { 'multipart/form-data': { schema: form } }) },
    },
    response: {
      ...jsonResponse(`The ${area.noun.one}, in progress.`, refTo(area.viewSchema)),
      ...problemResponses(problems),
    },
  };
}

function sizesOf(area: Area, limits: HttpLimits): string {
  const mostJson = maxJsonBytes(area.submission, limits);
  const json = area.submission.isLong ? mostJson : limits.bodyBytes;
  return [
    `JSON of at most ${inMib(json)}`,
    ...(mostJson > json ? [`, with \`custom_vocabularies\` ${inMib(mostJson)}`] : []),
    ...(area.submission.takesMedia ? [`; forms of at most ${inMib(limits.uploadBytes)}`] : []),
    '.',
  ].join('');
}

export function listOperation(area: Area): FastifySchema {
  const window = area.listWindowDays === undefined ? '' : ` of the last ${area.listWindowDays} days`;
  return {
    tags: [area.title],
    summary: `List the ${area.noun.many}${window}, newest first`,
    querystring: ListQuerySchema,
    response: {
      ...jsonResponse('One page.', { type: 'array', items: refTo(area.viewSchema) }),
      ...problemResponses([]),
    },
  };
}

export function getOperation(area: Area): FastifySchema {
  return {
    tags: [area.title],
    summary: `Get a ${area.noun.one}`,
    ...withId(area),
    response: {
      ...jsonResponse(`The ${area.noun.one}.`, refTo(area.viewSchema)),
      ...problemResponses([area.notFound]),
    },
  };
}

export function deleteOperation(area: Area): FastifySchema {
  return {
    tags: [area.title],
    summary: `Delete a ${area.noun.one} that has ended, with all its data`,
    ...withId(area),
    response: {
      204: { description: 'Deleted.', type: 'null' },
      ...problemResponses([area.notFound, 'invalidJobState', ...WITH_BODY]),
    },
  };
}

export function resultOperation(area: Area, kind: ResultKind, names: BrandNames): FastifySchema {
  const types = kind.mediaTypes(names);
  const content = types.map(type => {
    const schema = kind.schema && type.includes('json') ? refTo(kind.schema) : { type: 'string' };
    return [type, { schema }] as const;
  });
  const wanted = kind.isStrict
    ? `The header \`Accept\` must name the media type${kind.wildcard ? `; \`*/*\` means \`${kind.wildcard(names)}\`` : ''}.`
    : `Default: \`${types[0]}\`.`;
  return {
    tags: [area.title],
    summary: `Get the ${kind.path} of a completed ${area.noun.one}`,
    description: wanted,
    ...withId(area),
    ...(kind.query && { querystring: kind.query }),
    response: {
      200: { description: `The ${kind.path}.`, content: Object.fromEntries(content) },
      ...problemResponses([area.notFound, kind.unacceptable, 'invalidJobState', ...(kind.problems ?? [])]),
    },
  };
}
