import { describe, expect, test } from 'vitest';
import { endOf, keptService, postJson, postMedia } from '../../helpers/keptService.ts';
import { request } from '../../helpers/testService.ts';

const service = keptService();
const JOBS = '/speechtotext/v1/jobs';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const get = (path: string, accept?: string) =>
  request(service(), path, { headers: accept === undefined ? {} : { accept } });

describe('an upload', () => {
  test('is a job in progress, then a transcribed one', async () => {
    const submitted = await postMedia(service(), JOBS, undefined, { metadata: 'né', skip_diarization: true });
    expect(submitted.status).toBe(200);
    const job = submitted.json();
    expect(job).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{12,16}$/),
      created_on: TIME,
      status: 'in_progress',
      type: 'async',
      name: 'speech.wav',
      language: 'en',
      metadata: 'né',
      skip_diarization: true,
    });
    expect(await endOf(service(), `${JOBS}/${job.id}`)).toEqual({
      ...job,
      status: 'transcribed',
      completed_on: TIME,
      duration_seconds: 0.6,
    });
  });
});

describe('a job by URL', () => {
  test('shows its options, but no credentials', async () => {
    const options = {
      source_config: {
        url: 'http://media.example/talks/a%20b.wav',
        auth_headers: { Authorization: 'secret' },
      },
      notification_config: { url: 'https://me.example/', auth_headers: { Authorization: 'secret' } },
      metadata: 'm',
      delete_after_seconds: 0,
      language: 'en',
      filter_profanity: true,
      custom_vocabularies: [{ phrases: ['a phrase'] }],
    };
    const { status, json, text } = await postJson(service(), JOBS, options);
    expect(status).toBe(200);
    expect(json()).toMatchObject({
      name: 'a b.wav',
      source_config: { url: 'http://media.example/talks/a%20b.wav' },
      notification_config: { url: 'https://me.example/' },
      metadata: 'm',
      delete_after_seconds: 0,
      language: 'en',
      filter_profanity: true,
    });
    expect(text).not.toMatch(/secret|phrase/);
  });
});

test.each(['machine_v2', 'machine_v3', 'low_cost', 'fusion', 'machine'])(
  'the transcriber %s is the machine, and shown as it was given',
  async transcriber => {
    const submitted = await postMedia(service(), JOBS, undefined, { transcriber });
    expect(submitted.json()).toMatchObject({ transcriber, type: 'async' });
    const job = await endOf(service(), `${JOBS}/${submitted.json().id}`);
    expect(job).toMatchObject({ transcriber, type: 'async', status: 'transcribed' });
  },
);

describe('a list', () => {
  test('has the newest first, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await postMedia(service(), JOBS)).json().id);
    const idsOf = async (query: string) =>
      (await get(`${JOBS}${query}`)).json().map(({ id }: { id: string }) => id);
    expect((await idsOf('')).slice(0, 3)).toEqual(ids);
    expect(await idsOf('?limit=2')).toEqual(ids.slice(0, 2));
    expect(await idsOf(`?limit=2&starting_after=${ids[0]}`)).toEqual(ids.slice(1));
    expect(await idsOf('?limit=0')).toEqual([]);
    const wrong = await get(`${JOBS}?limit=1001&starting_after=nothing`);
    expect([wrong.status, wrong.json().parameters]).toEqual([400, { limit: [expect.any(String)] }]);
  });
});
