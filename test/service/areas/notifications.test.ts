import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { fetchOpenApi } from '../../helpers/openApi.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import type { Answer } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const service = keptService(scriptedEngines());

/** A receiver, and the first notification it gets. */
async function receiver() {
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  let receive: (body: any) => void;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const received = new Promise<any>(resolve => {
    receive = resolve;
  });
  const { url } = await httpServer(async (request, response) => {
    receive({ headers: request.headers, body: await json(request) });
    response.end();
  });
  return { url: `${url}/notified`, received };
}

const media = speechFile([11, 21]);
const AREAS: readonly [string, (options: object) => Promise<Answer>][] = [
  ['/speechtotext/v1/jobs', options => postMedia(service(), '/speechtotext/v1/jobs', media, options)],
  ['/languageid/v1/jobs', options => postMedia(service(), '/languageid/v1/jobs', media, options)],
  [
    '/alignment/v1/jobs',
    options => postMedia(service(), '/alignment/v1/jobs', media, { ...options, transcript_text: 'w11' }),
  ],
  [
    '/sentiment_analysis/v1/jobs',
    options => postJson(service(), '/sentiment_analysis/v1/jobs', { ...options, text: 'Good.' }),
  ],
];

test.each(AREAS)('the end of a job is notified as it is shown: %s', async (path, submit) => {
  const { url, received } = await receiver();
  const auth_headers = { authorization: 'Bearer of the receiver' };
  const { id } = (await submit({ notification_config: { url, auth_headers }, metadata: 'm' })).json();
  const { headers, body } = await received;
  expect(headers.authorization).toBe('Bearer of the receiver');
  expect(body).toEqual({ job: await endOf(service(), `${path}/${id}`) });
  expect(body.job).toMatchObject({ notification_config: { url }, metadata: 'm' });
  expect(body.job.status).toMatch(/^(transcribed|completed)$/);
  const { document, faults } = await fetchOpenApi(service());
  const { schema } = document.webhooks.jobEnded.post.requestBody.content['application/json'];
  expect(faults(schema, body)).toEqual([]);
});

test('the end of a legacy job is notified with its type, and with addresses by their older names', async () => {
  const { url, received } = await receiver();
  const media_url = await httpServer((_request, response) => void response.end(media)).then(
    server => server.url,
  );
  const submitted = await postJson(service(), '/svcspeech/v1beta/jobs', { media_url, callback_url: url });
  expect((await received).body).toMatchObject({
    job: {
      id: submitted.json().id,
      status: 'transcribed',
      type: 'async',
      language: 'en',
      media_url,
      callback_url: url,
      duration_seconds: 0.2,
    },
  });
});

test('a job that failed is notified with the reason', async () => {
  const { url, received } = await receiver();
  await postMedia(service(), '/speechtotext/v1/jobs', wav(new Uint8Array(2), { rate: 1 }), {
    callback_url: url,
  });
  expect((await received).body).toMatchObject({
    job: {
      status: 'failed',
      failure: 'invalid_media',
      failure_detail: expect.any(String),
      callback_url: url,
    },
  });
});

test.each(['/vocabularies', '/speechtotext/v1/vocabularies'])(
  'the end of a vocabulary is notified as it is shown: %s',
  async path => {
    const { url, received } = await receiver();
    const custom_vocabularies = ['a phrase'];
    const { id } = (await postJson(service(), path, { custom_vocabularies, callback_url: url })).json();
    const { body } = await received;
    expect(body).toEqual({ custom_vocabulary: await endOf(service(), `${path}/${id}`) });
    expect(body.custom_vocabulary).toMatchObject({ status: 'complete', callback_url: url });
  },
);

describe('a service without private addresses', () => {
  const guarded = keptService({ allowPrivateAddresses: false });
  const SPEECH = '/speechtotext/v1/jobs';
  const LEGACY = '/svcspeech/v1beta/jobs';
  const JSON_AREAS: readonly [string, object][] = [
    [SPEECH, { media_url: 'https://media.example/a.wav' }],
    ['/languageid/v1/jobs', { media_url: 'https://media.example/a.wav' }],
    ['/alignment/v1/jobs', { media_url: 'https://media.example/a.wav', transcript_text: 'w11' }],
    ['/sentiment_analysis/v1/jobs', { text: 'Good.' }],
    ['/vocabularies', { custom_vocabularies: ['a phrase'] }],
    [LEGACY, { media_url: 'https://media.example/a.wav' }],
  ];
  const HERE = 'http://127.0.0.1:9/';

  test.each<readonly [string, object, string]>([
    ...JSON_AREAS.map(([path, body]) => [path, { ...body, callback_url: HERE }, 'callback_url'] as const),
    ...JSON_AREAS.filter(([path]) => path !== LEGACY).map(
      ([path, body]) =>
        [path, { ...body, notification_config: { url: HERE } }, 'notification_config.url'] as const,
    ),
    [SPEECH, { source_config: { url: HERE } }, 'source_config.url'],
    [SPEECH, { media_url: 'http://localhost/a.wav' }, 'media_url'],
    [LEGACY, { media_url: 'http://[::1]/a.wav' }, 'media_url'],
    [
      '/alignment/v1/jobs',
      {
        media_url: 'https://media.example/a.wav',
        source_transcript_config: { url: 'http://169.254.169.254/' },
      },
      'source_transcript_config.url',
    ],
  ])('refuses a private address in a submission: %s %j', async (path, body, parameter) => {
    const { status, json } = await postJson(guarded(), path, body);
    expect([status, json().parameters]).toEqual([
      400,
      { [parameter]: [expect.stringMatching(/must be public.*--allow-private-addresses/)] },
    ]);
  });

  test('accepts other host names, which are resolved when it connects', async () => {
    const { status } = await postJson(guarded(), '/vocabularies', {
      custom_vocabularies: ['a phrase'],
      callback_url: 'https://nobody.example/notified',
    });
    expect(status).toBe(200);
  });
});
