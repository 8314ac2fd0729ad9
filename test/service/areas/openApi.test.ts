import { beforeAll, describe, expect, test } from 'vitest';
import { keptService, postJson } from '../../helpers/keptService.ts';
import { fetchOpenApi, type OpenApi } from '../../helpers/openApi.ts';
import { bodyOf, rawRequest } from '../../helpers/rawConnection.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { request, startTestService } from '../../helpers/testService.ts';

const service = keptService({ ...scriptedEngines(), adminToken: 'a'.repeat(40) });
let api: OpenApi;
beforeAll(async () => {
  api = await fetchOpenApi(service());
});

/** Every operation of the interface, and the one for stream tokens. */
const OPERATIONS = [
  'get /health/live',
  'get /health/ready',
  'get /speechtotext/v1/stream',
  'post /speechtotext/v1/stream_tokens',
  'get /speechtotext/v1/account',
  'get /svcspeech/v1beta/account',
  ...['/speechtotext/v1/jobs', '/svcspeech/v1beta/jobs', '/languageid/v1/jobs', '/alignment/v1/jobs']
    .concat('/sentiment_analysis/v1/jobs', '/speechtotext/v1/vocabularies', '/vocabularies')
    .flatMap(path => [`get ${path}`, `post ${path}`, `get ${path}/{id}`, `delete ${path}/{id}`]),
  'get /speechtotext/v1/jobs/{id}/transcript',
  'get /speechtotext/v1/jobs/{id}/captions',
  'get /svcspeech/v1beta/jobs/{id}/transcript',
  'get /languageid/v1/jobs/{id}/result',
  'get /alignment/v1/jobs/{id}/transcript',
  'get /sentiment_analysis/v1/jobs/{id}/result',
];

describe('the OpenAPI document', () => {
  test('has version 3.1, and needs no token', async () => {
    const answer = await request(service(), '/openapi.json', { headers: { authorization: '' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(answer.json()).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  test('has every operation of the interface, and no other', () => {
    const found = api.operations.map(({ method, path }) => `${method} ${path}`);
    expect(found.sort()).toEqual([...OPERATIONS].sort());
  });

  test('describes each operation and all its answers', () => {
    const tags = api.document.tags.map(({ name }: { name: string }) => name);
    for (const { method, path, ...operation } of api.operations) {
      expect(operation.summary).toMatch(/^[A-Z]/);
      expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
      const statuses = Object.keys(operation.responses);
      const isOpen = operation.security?.length === 0;
      expect(statuses).toEqual(
        expect.arrayContaining(['400', '500', '503', ...(isOpen ? [] : ['401', '429'])]),
      );
      expect(statuses.filter(status => status < '300').length).toBe(1);
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description).toMatch(/^\S/);
        const types = Object.keys(content ?? {});
        if (status >= '400') expect(types).toEqual(['application/problem+json']);
        else
          expect([path, method, status, types.length > 0]).toEqual([path, method, status, status === '200']);
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
      const named = (operation.parameters ?? []).filter(parameter => parameter.in === 'path');
      expect(named.map(({ name, required }) => [name, required])).toEqual(inPath.map(name => [name, true]));
    }
  });

  test('describes the problems of each', () => {
    const statusesOf = (method: string, path: string) => {
      const operation = api.operations.find(one => one.method === method && one.path === path);
      const statuses = Object.keys(operation!.responses).filter(status => status < '500');
      return statuses.join(' ');
    };
    expect(statusesOf('post', '/speechtotext/v1/jobs')).toBe('200 400 401 403 404 408 413 415 417 429 431');
    expect(statusesOf('post', '/sentiment_analysis/v1/jobs')).not.toContain('403');
    expect(statusesOf('delete', '/vocabularies/{id}')).toMatch(/^204 .*404 .*409/);
    expect(statusesOf('get', '/speechtotext/v1/jobs/{id}/captions')).toBe(
      '200 400 401 404 405 406 409 417 429 431',
    );
  });

  test('has valid references, and schemas with a type', () => {
    for (const schema of Object.values<object>(api.document.components.schemas)) {
      expect(api.resolve(schema)).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
    const references = JSON.stringify(api.document).match(/"\$ref":"[^"]*"/g)!;
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(() => api.resolve(JSON.parse(`{${reference}}`))).not.toThrow();
  });

  test('has the media types of results', () => {
    const operation = api.operations.find(({ path }) => path === '/speechtotext/v1/jobs/{id}/transcript');
    expect(operation!.responses['200']!.content).toEqual({
      'text/plain': { schema: { type: 'string' } },
      'application/vnd.svc.transcript.v1.0+json': { schema: { $ref: '#/components/schemas/Transcript' } },
    });
  });

  test('has valid examples', async () => {
    const bodies = api.operations.flatMap(({ path, requestBody }) =>
      requestBody ? [{ path, ...requestBody.content['application/json']! }] : [],
    );
    expect(bodies.length).toBe(8);
    for (const { path, schema, example } of bodies) {
      expect(api.faults(schema, example)).toEqual([]);
      // No media is downloaded, and nobody is notified.
      const harmless = JSON.parse(JSON.stringify(example).replaceAll(/(\w+\.)?example\.org/g, '127.0.0.1:9'));
      expect((await postJson(service(), path, harmless)).status).toBe(200);
    }
  });

  test('states the limits of bodies', () => {
    const descriptionOf = (path: string) =>
      api.operations.find(operation => operation.method === 'post' && operation.path === path)!.description;
    expect(descriptionOf('/speechtotext/v1/jobs')).toBe(
      'JSON of at most 1 MiB, with `custom_vocabularies` 32 MiB; forms of at most 2048 MiB.',
    );
    expect(descriptionOf('/sentiment_analysis/v1/jobs')).toBe('JSON of at most 16 MiB.');
    expect(descriptionOf('/languageid/v1/jobs')).toBe('JSON of at most 1 MiB; forms of at most 2048 MiB.');
  });

  test('states the limit of a message of a stream', () => {
    const stream = api.operations.find(({ path }) => path === '/speechtotext/v1/stream')!;
    expect(stream.description).toContain('each of at most 64 MiB (a longer one closes with code 1009)');
    expect(Object.keys(stream.responses)).toContain('426');
  });

  test('has the notifications', () => {
    const bodies = Object.values<{ post: { requestBody: { content: object } } }>(api.document.webhooks);
    expect(bodies.map(({ post }) => post.requestBody.content)).toMatchObject([
      { 'application/json': { schema: { properties: { job: { $ref: '#/components/schemas/Job' } } } } },
      { 'application/json': { schema: { properties: { custom_vocabulary: expect.any(Object) } } } },
    ]);
  });
});

describe('the document of the EU deployment', () => {
  const eu = keptService({ region: 'eu' });

  test('describes only supported operations', async () => {
    const { operations, document } = await fetchOpenApi(eu());
    const paths = [...new Set(operations.map(({ path }) => path))];
    expect(paths.filter(path => !/^\/(health\/|speechtotext\/v1\/(account|jobs))/.test(path))).toEqual([]);
    const { properties } = document.components.schemas.SpeechToTextSubmission;
    expect(Object.keys(properties)).toContain('custom_vocabularies');
    expect(Object.keys(properties)).not.toContain('custom_vocabulary_id');
    expect(JSON.stringify(properties.transcriber)).not.toContain('human');
    expect(Object.keys(document.components.schemas)).not.toContain('Vocabulary');
    expect(Object.keys(document.webhooks)).toEqual(['jobEnded']);
  });
});

describe('the page of the reference', () => {
  test.each(['/docs', '/docs/'])('is at %s, and loads nothing from elsewhere', async path => {
    const { status, headers, text } = await request(service(), path, { headers: { authorization: '' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(match => match[1]!);
    expect(loaded.length).toBeGreaterThan(4);
    for (const address of loaded) {
      expect(address).not.toMatch(/^(https?:)?\/\//);
      const part = new URL(address, `${service().url}/docs/`);
      expect((await fetch(part)).status).toBe(200);
    }
    expect((await request(service(), '/docs/json')).json().openapi).toBe('3.1.0');
  });

  test.each<[number, string, string[]]>([
    [403, '/docs/static/../../package.json', []],
    [403, '/docs/static/%2e%2e/package.json', []],
    [403, '/docs/static//swagger-ui.css', []],
    [403, '/docs/static/a%00b', []],
    [403, `/docs/static/${'x'.repeat(5000)}`, []],
    [404, '/docs/static/', []],
    [404, '/docs/static/missing.css', []],
    [404, '/docs/static/..%2f..%2fpackage.json', []],
    [412, '/docs/static/swagger-ui.css', ['If-Match: "another"']],
    [412, '/docs/static/swagger-ui.css', ['If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT']],
    [416, '/docs/static/swagger-ui.css', ['Range: bytes=99999999-']],
  ])('gives %i for %.60s %j', async (status, path, headers) => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    const answer = await rawRequest(service(), ...lines);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('content-type: application/problem+json');
    const more = status === 404 && { type: expect.any(String), detail: expect.any(String) };
    expect(bodyOf(answer)).toEqual({ status, title: expect.any(String), ...more });
    // The end of the file.
    if (status === 416) expect(answer).toMatch(/\r\ncontent-range: bytes \*\/\d+\r\n/i);
  });

  test('is not served without stored jobs', async () => {
    const unkept = await startTestService();
    for (const path of ['/docs', '/openapi.json']) expect((await request(unkept, path)).status).toBe(404);
  });
});
