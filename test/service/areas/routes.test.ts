import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { openStore } from '../../../src/service/store/store.ts';
import {
  ALIGNMENT_JOBS,
  LANGUAGE_JOBS,
  LEGACY_JOBS,
  PLAIN_VOCABULARIES,
  SENTIMENT_JOBS,
  SPEECH_JOBS,
  VOCABULARIES,
} from '../../helpers/collections.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({
  ...scriptedEngines(),
  // The tests poll faster than clients should.
  limits: { account: { requestsPerSecond: 1e6, requestBurst: 1e6 } },
});

const COLLECTIONS = [
  SPEECH_JOBS,
  LEGACY_JOBS,
  LANGUAGE_JOBS,
  ALIGNMENT_JOBS,
  SENTIMENT_JOBS,
  VOCABULARIES,
  PLAIN_VOCABULARIES,
];
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const get = (path: string) => request(service(), path);

/** Submits a valid submission of the area. */
function submit(collection: string) {
  if (collection === SENTIMENT_JOBS) return postJson(service(), collection, { text: 'Good.' });
  if (collection.endsWith('vocabularies')) {
    return postJson(service(), collection, { custom_vocabularies: [{ phrases: ['a phrase'] }] });
  }
  const options = collection === ALIGNMENT_JOBS ? { transcript_text: 'w11' } : {};
  // English to some engines, plain words to others.
  return postMedia(service(), collection, speechFile([11, 21]), options);
}

describe.each(COLLECTIONS)('%s', collection => {
  test('submits, shows, lists and deletes', async () => {
    const submitted = await submit(collection);
    expect(submitted.status).toBe(200);
    expect(submitted.json()).toMatchObject({ created_on: TIME, status: 'in_progress' });
    const { id } = submitted.json();
    const path = `${collection}/${id}`;
    const ended = await endOf(service(), path);
    expect(ended).toMatchObject({ id, completed_on: TIME });
    expect(ended.status).toMatch(/^(transcribed|completed|complete)$/);
    for (const list of [
      collection,
      `${collection}/`,
      `${collection}/?`,
      `${collection}?limit=&starting_after=`,
    ]) {
      const { status, json } = await get(list);
      expect([status, json()[0]]).toEqual([200, ended]);
    }
    expect((await get(`${path}/?`)).json()).toEqual(ended);
    const removed = await request(service(), `${path}/?`, { method: 'DELETE' });
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const method of ['DELETE', 'GET']) {
      const gone = await request(service(), path, { method });
      expect([gone.status, gone.json().title]).toEqual([404, expect.stringMatching(/^could not find/)]);
    }
    expect((await get(collection)).json().map((job: { id: string }) => job.id)).not.toContain(id);
  });

  test('accepts a DELETE with the media type of JSON and no body', async () => {
    const { id } = (await submit(collection)).json();
    await endOf(service(), `${collection}/${id}`);
    const headers = { 'content-type': 'application/json' };
    const removed = await request(service(), `${collection}/${id}`, { method: 'DELETE', headers });
    expect(removed.status).toBe(204);
  });

  test.each([
    'nothing',
    '%2e%2e',
    '..%2f..%2fowner',
    '%00',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'x'.repeat(99),
    'x'.repeat(5000),
    '%F0%9F%98%80',
    "'--",
    '%ff',
    '%zz',
  ])('has no job at %s', async id => {
    // Clients request it as the parent path; the root redirects to the reference.
    if (new URL(`${service().url}${collection}/${id}`).pathname === '/') return;
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, json } = await request(service(), `${collection}/${id}`, { method });
      expect([id, status]).toEqual([id, /%ff|%zz/.test(id) ? 400 : 404]);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(json().title).toEqual(expect.any(String));
    }
  });

  test.each([
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['starting_after=nothing', 'starting_after'],
    ['starting_after=%00', 'starting_after'],
    ['starting_after=a&starting_after=b', 'starting_after'],
  ])('lists nothing by ?%s', async (query, parameter) => {
    const { status, json } = await get(`${collection}?${query}`);
    expect([status, Object.keys(json().parameters)]).toEqual([400, [parameter]]);
  });

  test.each(['PUT', 'PATCH', 'OPTIONS'])('answers 405 to %s', async method => {
    for (const [path, allow] of [
      [collection, 'GET, HEAD, POST'],
      [`${collection}/?limit=1`, 'GET, HEAD, POST'],
      [`${collection}/abc`, 'DELETE, GET, HEAD'],
    ] as const) {
      const { status, headers, json } = await request(service(), path, { method });
      expect([status, headers.get('allow')]).toEqual([405, allow]);
      expect(json()).toMatchObject({
        type: `${service().url}/errors/method-not-allowed`,
        detail: expect.stringContaining(`not ${method}`),
      });
    }
  });

  test('requires a token', async () => {
    for (const [method, path] of [
      ['POST', collection],
      ['GET', collection],
      ['GET', `${collection}/x`],
      ['DELETE', `${collection}/x`],
    ] as const) {
      const answer = await request(service(), path, { method, headers: { authorization: 'Bearer wrong' } });
      expect([answer.status, answer.json().title]).toEqual([
        401,
        'Authorization has been denied for this request.',
      ]);
    }
  });
});

describe('an area', () => {
  test('shows jobs of its own only', async () => {
    const { id } = (await submit(LANGUAGE_JOBS)).json();
    await endOf(service(), `${LANGUAGE_JOBS}/${id}`);
    for (const collection of COLLECTIONS.filter(other => other !== LANGUAGE_JOBS)) {
      expect((await get(`${collection}/${id}`)).status).toBe(404);
      expect((await get(`${collection}?starting_after=${id}`)).status).toBe(400);
      expect((await request(service(), `${collection}/${id}`, { method: 'DELETE' })).status).toBe(404);
    }
    expect((await get(`${LANGUAGE_JOBS}/${id}`)).status).toBe(200);
  });

  test('answers 404 for paths outside the interface', async () => {
    const { id } = (await submit(SPEECH_JOBS)).json();
    const below = ['transcript/summary', 'transcript/translation/de', 'result', 'media', 'input'];
    for (const path of [
      ...below.map(rest => `${SPEECH_JOBS}/${id}/${rest}`),
      '/topic_extraction/v1/jobs',
      '/openapiXjson',
      '//speechtotext/v1/jobs',
    ]) {
      for (const method of ['GET', 'POST', 'PROPFIND']) {
        const { status, headers, json } = await request(service(), path, { method });
        expect([path, status, headers.get('allow')]).toEqual([path, 404, null]);
        expect(json()).toEqual({
          status: 404,
          title: 'This api is not supported in this deployment',
          type: `${service().url}/errors/unsupported-api`,
          detail: expect.any(String),
        });
      }
    }
  });

  test('answers other methods of results and of streams with those that they have', async () => {
    for (const path of [
      `${SPEECH_JOBS}/abc/transcript`,
      '/speechtotext/v1/stream',
      '/speechtotext/v1/account',
    ]) {
      const { status, headers } = await request(service(), path, { method: 'POST' });
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
  });
});

describe('a legacy job', () => {
  test('shows little until it has ended, and then whole seconds', async () => {
    const options = { metadata: 'm', callback_url: 'http://127.0.0.1:9/notified' };
    const submitted = await postMedia(service(), LEGACY_JOBS, speechFile(Array(16).fill(4)), options);
    const { id } = submitted.json();
    const common = { id, created_on: TIME, metadata: 'm', callback_url: 'http://127.0.0.1:9/notified' };
    expect(submitted.json()).toEqual({ ...common, status: 'in_progress' });
    const ended = {
      ...common,
      status: 'transcribed',
      completed_on: TIME,
      name: 'speech.wav',
      duration_seconds: 2,
    };
    // Nothing listens at the address, which the job shows once it was tried.
    const withoutFailure = ({ notification_failure: _, ...job }: Record<string, unknown>) => job;
    expect(withoutFailure(await endOf(service(), `${LEGACY_JOBS}/${id}`))).toEqual(ended);
    expect(withoutFailure((await get(LEGACY_JOBS)).json()[0])).toEqual(ended);
    expect((await get(`${SPEECH_JOBS}/${id}`)).json()).toMatchObject({
      ...common,
      type: 'async',
      duration_seconds: 1.6,
    });
  });

  test('by URL shows the address in the end', async () => {
    const media_url = 'http://127.0.0.1:9/a.wav';
    const { id } = (await postJson(service(), LEGACY_JOBS, { media_url })).json();
    expect(await endOf(service(), `${LEGACY_JOBS}/${id}`)).toMatchObject({
      status: 'failed',
      failure: 'download_failure',
      failure_detail: expect.any(String),
      media_url,
    });
  });

  test('is listed for a week, in the other area for 30 days', async () => {
    const directory = await dataDirectory();
    const first = await startTestService({ dataDirectory: directory });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await postMedia(first, LEGACY_JOBS)).json().id);
    await first.close();
    const store = openStore({ dataDirectory: directory, clock: systemClock, onError: () => {} });
    const { db } = await store.opened;
    for (const [index, days] of [6.99, 7.01, 29.99, 30.01].entries()) {
      const createdOn = new Date(Date.now() - days * 24 * 3600 * 1000);
      await sql`update jobs set created_on = ${createdOn} where id = ${ids[index]}`.execute(db);
    }
    await store.close();
    const later = await startTestService({ dataDirectory: directory });
    const listed = async (collection: string) =>
      (await request(later, collection)).json().map(({ id }: { id: string }) => id);
    expect([await listed(LEGACY_JOBS), await listed(SPEECH_JOBS)]).toEqual([
      ids.slice(0, 1),
      ids.slice(0, 3),
    ]);
  });
});

describe('a vocabulary', () => {
  test('lists its unusable phrases, and is used by a job', async () => {
    const custom_vocabularies = [{ phrases: ['good phrase', 'b4d phrase'] }, 'another'];
    const { id } = (await postJson(service(), VOCABULARIES, { custom_vocabularies, metadata: 'm' })).json();
    expect(id).toMatch(/^cv[0-9A-Za-z]{10,14}$/);
    expect(await endOf(service(), `${VOCABULARIES}/${id}`)).toEqual({
      id,
      status: 'complete',
      created_on: TIME,
      completed_on: TIME,
      metadata: 'm',
      unusable_phrases: [{ phrase: 'b4d phrase', reason: expect.any(String) }],
    });
    const job = await postMedia(service(), SPEECH_JOBS, undefined, { custom_vocabulary_id: id });
    expect([job.status, job.json().custom_vocabulary_id]).toEqual([200, id]);
    expect(await endOf(service(), `${SPEECH_JOBS}/${job.json().id}`)).toMatchObject({
      status: 'transcribed',
    });
  });

  test('is refused to jobs when it was deleted or has failed', async () => {
    const failed = (await postJson(service(), VOCABULARIES, { custom_vocabularies: ['b4d'] })).json().id;
    const gone = (await postJson(service(), VOCABULARIES, { custom_vocabularies: ['good'] })).json().id;
    expect(await endOf(service(), `${VOCABULARIES}/${failed}`)).toMatchObject({
      failure: 'custom_vocabulary',
      unusable_phrases: [{ phrase: 'b4d', reason: expect.any(String) }],
    });
    await endOf(service(), `${VOCABULARIES}/${gone}`);
    await request(service(), `${VOCABULARIES}/${gone}`, { method: 'DELETE' });
    for (const id of [failed, gone]) {
      const { status } = await postMedia(service(), SPEECH_JOBS, undefined, { custom_vocabulary_id: id });
      expect(status).toBe(404);
    }
  });
});

describe('the EU deployment', () => {
  const eu = keptService({ region: 'eu' });

  test('transcribes by machine, with inline vocabularies', async () => {
    const options = { custom_vocabularies: [{ phrases: ['a phrase'] }], transcriber: 'machine' };
    const { status, json } = await postMedia(eu(), SPEECH_JOBS, undefined, options);
    expect(status).toBe(200);
    await endOf(eu(), `${SPEECH_JOBS}/${json().id}`);
    const headers = { accept: 'text/plain' };
    const { text } = await request(eu(), `${SPEECH_JOBS}/${json().id}/transcript`, { headers });
    expect(text).toContain('W4 w7.');
    expect((await request(eu(), '/speechtotext/v1/account')).status).toBe(200);
  });

  const unsupported = () => ({
    status: 404,
    title: 'This api is not supported in this deployment',
    type: `${eu().url}/errors/unsupported-api`,
  });

  test.each([
    { transcriber: 'human' },
    { custom_vocabulary_id: 'cvX' },
    { transcriber: 'human', metadata: 1 },
  ])('has no %j', async options => {
    for (const answer of [
      await postJson(eu(), SPEECH_JOBS, { media_url: 'http://127.0.0.1:9', ...options }),
      await postMedia(eu(), SPEECH_JOBS, undefined, options),
    ]) {
      expect(answer.json()).toEqual({ ...unsupported(), detail: expect.any(String) });
    }
  });

  test('ignores unsupported parameters without a value', async () => {
    const options = { transcriber: null, custom_vocabulary_id: '' };
    expect((await postMedia(eu(), SPEECH_JOBS, undefined, options)).status).toBe(200);
  });

  test('has no other part of the interface', async () => {
    const others = COLLECTIONS.filter(collection => collection !== SPEECH_JOBS);
    const more = [
      '/svcspeech/v1beta/account',
      '/languageid/v1',
      '/alignment/v1/jobs/x/transcript',
      '/speechtotext/v1/stream',
    ];
    for (const path of [...others, ...others.map(path => `${path}/x`), ...more]) {
      const answer = await request(eu(), path);
      expect([path, answer.json()]).toEqual([path, unsupported()]);
    }
    expect((await postJson(eu(), SENTIMENT_JOBS, { text: 'x' })).json()).toEqual(unsupported());
  });

  test.each([
    ['application/x-www-form-urlencoded', 'text=x'],
    ['application/json', '{"text":'],
    ['application/json', JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })],
  ])('has no other part of the interface, whatever is posted to it: %s', async (type, body) => {
    const headers = { 'content-type': type };
    const answer = await request(eu(), SENTIMENT_JOBS, { method: 'POST', headers, body });
    expect(answer.json()).toEqual(unsupported());
  });
});

test('a brand word fills the legacy prefix and the media types', async () => {
  const own = await startTestService({ dataDirectory: await dataDirectory(), brand: 'acme' });
  const { id } = (await postMedia(own, '/acmespeech/v1beta/jobs')).json();
  await eventually(async () => {
    const accept = 'application/vnd.acme.transcript.v1.0+json';
    const headers = { accept, authorization: `Bearer ${TEST_TOKEN}` };
    expect((await request(own, `/acmespeech/v1beta/jobs/${id}/transcript`, { headers })).status).toBe(200);
  });
  expect((await request(own, LEGACY_JOBS)).status).toBe(404);
});
