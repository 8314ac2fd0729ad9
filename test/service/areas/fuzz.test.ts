// @module-tag slow

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { FORM_TYPE, formBody } from '../../helpers/formBody.ts';
import { keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { type DocumentedOperation, fetchOpenApi, type OpenApi } from '../../helpers/openApi.ts';
import { anyJson, damaged, seasoned, valuesOf } from '../../helpers/schemaArbitraries.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { type Answer, request, TEST_TOKEN } from '../../helpers/testService.ts';

/** Requests per operation, four times as many with a body. RXSCRIBE_FUZZ_RUNS sets their number, RXSCRIBE_FUZZ_SEED the seed. */
const RUNS = Number(process.env.RXSCRIBE_FUZZ_RUNS ?? 25);
const SEED = Number(process.env.RXSCRIBE_FUZZ_SEED ?? 20_260_101);

const plenty = 1_000_000;
const service = keptService({
  ...scriptedEngines(),
  limits: {
    account: { jobsInProgress: plenty, requestsPerSecond: plenty, requestBurst: plenty },
    guesses: { perSecond: plenty, burst: plenty },
  },
});

let api: OpenApi;
/** Ids of jobs of every kind, successful and failed. */
let ids: readonly string[];

beforeAll(async () => {
  api = await fetchOpenApi(service());
  const answers = [
    await postMedia(service(), '/speechtotext/v1/jobs'),
    await postMedia(service(), '/speechtotext/v1/jobs', undefined, { transcriber: 'human' }),
    await postMedia(service(), '/svcspeech/v1beta/jobs', new Uint8Array(9)),
    await postMedia(service(), '/languageid/v1/jobs', speechFile([11, 21])),
    await postMedia(service(), '/alignment/v1/jobs', undefined, { transcript_text: 'w4 w7' }),
    await postJson(service(), '/sentiment_analysis/v1/jobs', { text: 'Good.' }),
    await postJson(service(), '/vocabularies', { custom_vocabularies: ['a phrase'] }),
  ];
  ids = answers.map(answer => answer.json().id);
});

interface FuzzedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

test('no request breaks the service, or gets an undocumented answer', async () => {
  const welcome = new Set<string>();
  // Deleted resources reveal nothing.
  const inOrder = api.operations.toSorted(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  for (const operation of inOrder) {
    const name = `${operation.method} ${operation.path}`;
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async ({ path, ...init }) => {
        const answer = await request(service(), path, init);
        if (answer.status < 300) welcome.add(name);
        expect(complaints(operation, answer), `${name}: ${answer.status} ${answer.text}`).toEqual([]);
      }),
      { numRuns: operation.requestBody ? 4 * RUNS : RUNS, seed: SEED },
    );
  }
  // Requests that are all refused would not reach far into the service.
  expect(welcome.size).toBeGreaterThan(0.7 * api.operations.length);
});

function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the faults of an answer. */
function complaints(
  { responses }: DocumentedOperation,
  { status, headers, text }: Answer,
): readonly string[] {
  const documented = responses[status];
  if (!documented) return [`status ${status} is not documented`];
  if (status >= 500) return [`status ${status}`];
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!documented.content) return text === '' ? [] : ['there is a body'];
  const content = documented.content[type];
  if (!content) return [`media type ${type} is not documented`];
  return type.endsWith('json') ? api.faults(content.schema, JSON.parse(text)) : [];
}

function requestOf(operation: DocumentedOperation): fc.Arbitrary<FuzzedRequest> {
  const { method, path, parameters = [], requestBody, responses } = operation;
  const types = Object.keys(responses['200']?.content ?? {});
  const query = parameters.filter(parameter => parameter.in === 'query');
  return fc
    .record({
      id: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...ids) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
      ),
      query: fc.record(
        Object.fromEntries(
          query.map(({ name, schema }) => [name, fc.oneof(valuesOf(api.resolve(schema), name), anyJson)]),
        ),
        { requiredKeys: [] },
      ),
      isBare: fc.constantFrom('', '/', '?', '/?'),
      accept: fc.option(fc.constantFrom(...types, '*/*', 'text/*', 'nonsense', ';', ''), { nil: undefined }),
      token: fc.oneof(
        { weight: 9, arbitrary: fc.constant(TEST_TOKEN) },
        { weight: 1, arbitrary: fc.stringMatching(/^[ -~]*$/) },
      ),
      sent: requestBody ? bodyOf(operation) : fc.constant(undefined),
    })
    .map(({ id, query, isBare, accept, token, sent }) => {
      const text = new URLSearchParams(
        Object.fromEntries(Object.entries(query).map(([name, value]) => [name, asText(value)])),
      ).toString();
      return {
        path:
          path.replace('{id}', encodeURIComponent(id.toWellFormed())) + (text === '' ? isBare : `?${text}`),
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${token}`,
          ...(accept !== undefined && { accept }),
          ...(sent && { 'content-type': sent.type }),
        },
        ...(sent && { body: sent.body }),
      };
    });
}

function bodyOf({
  requestBody,
}: DocumentedOperation): fc.Arbitrary<{ type: string; body: string | Uint8Array<ArrayBuffer> }> {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody!.content;
  const schema = api.resolve(json!.schema);
  const example = JSON.parse(
    JSON.stringify(json!.example).replaceAll(/(\w+\.)?example\.org/g, '127.0.0.1:9'),
  );
  const values = fc.oneof(valuesOf(schema), fc.constant(example));
  const written = (values: fc.Arbitrary<unknown>) => values.map(value => JSON.stringify(value) ?? '');
  const texts = fc.oneof(
    { weight: 4, arbitrary: written(values) },
    { weight: 4, arbitrary: written(damaged(values)) },
    { weight: 3, arbitrary: seasoned(values) },
    { weight: 1, arbitrary: written(anyJson) },
    { weight: 1, arbitrary: fc.string() },
  );
  const asJson = texts.map(body => ({ type: 'application/json', body }));
  const asAnything = fc.record({
    type: fc.constantFrom(
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      FORM_TYPE,
    ),
    body: texts,
  });
  const parts = fc.array(
    fc.oneof(
      texts.map(body => ({ name: 'options', body })),
      fc
        .constantFrom(speechFile(), new Uint8Array(0))
        .map(body => ({ name: 'media', filename: 'a.wav', body })),
      fc.record({ name: fc.stringMatching(/^[^"\r\n]*$/), body: fc.string() }),
    ),
    { maxLength: 4 },
  );
  const asForm = parts.map(some => ({ type: FORM_TYPE, body: formBody(some) }));
  return fc.oneof(
    { weight: 6, arbitrary: asJson },
    { weight: form ? 4 : 1, arbitrary: asForm },
    { weight: 1, arbitrary: asAnything },
  );
}
