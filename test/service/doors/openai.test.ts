import OpenAI, { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { phrasesIn } from '../../../src/service/doors/phrasesIn.ts';
import { accountWith } from '../../helpers/accountWith.ts';
import { collect } from '../../helpers/collect.ts';
import { DESK_ADMIN_TOKEN } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FORM_TYPE, formBody, type Part } from '../../helpers/formBody.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { capturedLog } from '../../helpers/observedService.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const log = capturedLog();
const recognizer = createScriptedRecognizer();
const service = keptService({
  recognizer,
  doors: ['openai'],
  adminToken: DESK_ADMIN_TOKEN,
  diarizer: createScriptedDiarizer(),
  logger: log.logger,
  limits: { guesses: { perSecond: 1000, burst: 1000 } },
});

const clientOf = ({ url }: { readonly url: string }, apiKey = TEST_TOKEN) =>
  new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });

/** Scripted speech that is transcribed as `W4 w7. W9.`. */
const speech = (levels?: readonly number[]) => new File([new Uint8Array(speechFile(levels))], 'talk.wav');
const model = 'whisper-1';

/** Requests a transcription by the client of OpenAI. */
const transcribe = (options: Partial<OpenAI.Audio.TranscriptionCreateParams> = {}) =>
  clientOf(service()).audio.transcriptions.create({
    file: speech(),
    model,
    ...options,
  } as OpenAI.Audio.TranscriptionCreateParamsNonStreaming);

/** Resolves with the error of a request. */
const errorOf = (request: Promise<unknown>): Promise<APIError> =>
  request.then(
    () => Promise.reject(new Error('The request succeeded.')),
    (error: APIError) => error,
  );

describe('a transcription for the client of OpenAI', () => {
  test('has a text, and the seconds of the audio', async () => {
    expect(await transcribe()).toEqual({ text: 'W4 w7. W9.', usage: { type: 'duration', seconds: 1 } });
  });

  test('has plain text and captions', async () => {
    expect(await transcribe({ response_format: 'text' })).toBe('W4 w7. W9.\n');
    expect(await transcribe({ response_format: 'srt' })).toMatch(/^1\n00:00:00,\d{3} --> .*\nW4 w7\. W9\.\n/);
    expect(await transcribe({ response_format: 'vtt' })).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> /);
  });

  test('has its words and sentences with times', async () => {
    const granularities = ['word', 'segment'] as const;
    const details = await transcribe({
      response_format: 'verbose_json',
      timestamp_granularities: [...granularities],
    });
    expect(details).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: 0.6,
      text: 'W4 w7. W9.',
      words: [
        { word: 'W4', start: 0, end: 0.1 },
        { word: 'w7', start: 0.1, end: 0.2 },
        { word: 'W9', start: 0.5, end: 0.6 },
      ],
      segments: [
        { id: 0, start: 0, end: 0.2, text: ' W4 w7.', avg_logprob: expect.any(Number) },
        { id: 1, start: 0.5, end: 0.6, text: ' W9.' },
      ],
    });
    expect(await transcribe({ response_format: 'verbose_json' })).not.toHaveProperty('words');
    const words = { response_format: 'verbose_json', timestamp_granularities: ['word'] } as const;
    expect(await transcribe({ ...words, timestamp_granularities: ['word'] })).not.toHaveProperty('segments');
  });

  test('has the speakers of its sentences, by letters', async () => {
    const file = speech([7, 8, 0, 0, 0, 107, 108]);
    expect(await transcribe({ file, response_format: 'diarized_json' })).toMatchObject({
      segments: [
        { type: 'transcript.text.segment', id: 'seg_0', text: 'W7 w8.', speaker: 'A' },
        { id: 'seg_1', text: 'W107 w108.', speaker: 'B' },
      ],
    });
  });

  test('favours the words of its prompt', async () => {
    await transcribe({ prompt: 'Dashwood, Norland Park' });
    const favoured = recognizer.opened.at(-1)?.phrases ?? [];
    expect(favoured).toEqual(['Dashwood', 'Norland Park']);
  });

  test('is a job of the account, kept as all others', async () => {
    await transcribe();
    const [job] = (await request(service(), '/speechtotext/v1/jobs?limit=1')).json();
    expect(job).toMatchObject({ status: 'transcribed', name: 'talk.wav', type: 'async' });
  });

  test('comes in pieces that are never changed', async () => {
    const events = await clientOf(service()).audio.transcriptions.create({
      file: speech(),
      model,
      stream: true,
    });
    const got = await collect(events);
    const deltas = got.flatMap(event => (event.type === 'transcript.text.delta' ? [event.delta] : []));
    expect(deltas).toEqual(['W4 w7.', ' W9.']);
    expect(got.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'W4 w7. W9.' });
  });

  test('logs fields without effect, once', async () => {
    await transcribe({ temperature: 0.4, chunking_strategy: 'auto' });
    await transcribe({ temperature: 0.4 });
    const named = log
      .lines()
      .filter(({ door }) => door === 'openai')
      .flatMap(({ ignored }) => ignored);
    expect(named.filter(name => name === 'temperature')).toHaveLength(1);
    expect(named).toContain('chunking_strategy');
  });
});

describe('what the client of OpenAI gets as an error', () => {
  test.each<[string, () => Promise<unknown>, object]>([
    [
      'a token that is wrong',
      () => clientOf(service(), 'wrong').models.list(),
      { status: 401, code: 'invalid_api_key' },
    ],
    [
      'a format that is unknown',
      () => transcribe({ response_format: 'xml' as 'json' }),
      { status: 400, param: 'response_format' },
    ],
    [
      'a language that is not spoken here',
      () => transcribe({ language: 'xx' }),
      { status: 400, param: 'language' },
    ],
    [
      'a file that is no audio',
      () => transcribe({ file: new File(['text'], 'a.wav') }),
      { status: 400, param: 'file' },
    ],
    [
      'a file that is empty',
      () => transcribe({ file: new File([], 'a.wav') }),
      { status: 400, param: 'file' },
    ],
    [
      'an empty file that is streamed',
      () => transcribe({ file: new File([], 'a.wav'), stream: true } as object),
      { status: 400, param: 'file' },
    ],
    [
      'another path',
      () => clientOf(service()).chat.completions.create({ model, messages: [] }),
      { status: 404 },
    ],
    ['a model that is unknown', () => clientOf(service()).models.retrieve('gpt'), { status: 404 }],
    [
      'captions that are streamed',
      () => transcribe({ stream: true, response_format: 'srt' } as object),
      { status: 400, param: 'stream' },
    ],
    [
      'a streamed language that is not spoken here',
      () => transcribe({ stream: true, language: 'xx' } as object),
      { status: 400 },
    ],
  ])('for %s', async (_name, attempt, expected) => {
    const error = await errorOf(attempt());
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/undefined|object Object/);
  });

  test('for a file that is no audio, while it is streamed', async () => {
    const events = await clientOf(service()).audio.transcriptions.create({
      file: new File(['text'], 'a.wav'),
      model,
      stream: true,
    });
    expect((await errorOf(collect(events))).message).toMatch(/not audio/);
  });

  test('for a form without a file, and for JSON', async () => {
    const form = await post([]);
    expect([form.status, form.json().error.param]).toEqual([400, 'file']);
    const headers = { 'content-type': 'application/json' };
    const json = await request(service(), PATH, { method: 'POST', body: '{}', headers });
    expect([json.status, json.json().error.type]).toEqual([415, 'invalid_request_error']);
  });
});

test('models are listed', async () => {
  const { data } = await clientOf(service()).models.list();
  expect(data).toMatchObject([{ id: recognizer.name, object: 'model' }]);
  expect(await clientOf(service()).models.retrieve(recognizer.name)).toMatchObject({ id: recognizer.name });
});

const PATH = '/v1/audio/transcriptions';
const MEDIA: Part = { name: 'file', filename: 'talk.wav', body: speechFile() };

function post(parts: readonly Part[]) {
  const headers = { 'content-type': FORM_TYPE };
  return request(service(), PATH, { method: 'POST', body: formBody(parts), headers });
}

test('a list of a field has brackets, or repeats its name', async () => {
  const format = { name: 'response_format', body: 'verbose_json' };
  for (const name of ['timestamp_granularities[]', 'timestamp_granularities']) {
    const answer = await post([MEDIA, format, { name, body: 'word' }, { name, body: 'segment' }]);
    expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(['words', 'segments']));
  }
});

test.each([
  ['stream', 'maybe'],
  ['temperature', 'hot'],
  ['temperature', '1.5'],
  ['temperature', '-0.1'],
  ['response_format', 'xml'],
  ['timestamp_granularities[]', 'sentence'],
  ['include[]', 'everything'],
  ['chunking_strategy', 'sometimes'],
])('a form is refused for its %s: %s', async (name, body) => {
  const answer = await post([MEDIA, { name, body }]);
  const field = name.replace('[]', '');
  expect([answer.status, answer.json().error]).toMatchObject([400, { param: field }]);
  expect(answer.json().error.message).toContain(`'${field}' must be `);
});

test.each(['0', '0.2', '.5', '1', '1.0', '0.0', ''])('a temperature of %j is taken', async body => {
  expect((await post([MEDIA, { name: 'temperature', body }])).status).toBe(200);
});

test('hostile forms are answered without a fault of the service', async () => {
  const strange = ['', '\u0000', '%', '\ud800', '[]', 'null', 'true', '-1', 'x'.repeat(5000)];
  const fields = [
    'language',
    'prompt',
    'response_format',
    'stream',
    'timestamp_granularities[]',
    'keywords[]',
  ];
  for (const name of fields) {
    for (const body of strange) {
      const { status } = await post([{ name, body }, MEDIA]);
      expect([200, 400], `${name}: ${body.slice(0, 9)}`).toContain(status);
    }
  }
  expect((await post([{ name: 'prompt', body: 'x'.repeat(2 ** 20 + 1) }, MEDIA])).status).toBe(413);
  expect((await post([MEDIA, MEDIA])).status).toBe(400);
});

test('an account that keeps nothing gets its text all the same', async () => {
  const { token, deleteAfter } = await accountWith(100, service());
  await deleteAfter(0);
  const { audio } = clientOf(service(), token);
  expect(await audio.transcriptions.create({ file: speech(), model })).toMatchObject({ text: 'W4 w7. W9.' });
  const headers = { authorization: `Bearer ${token}` };
  expect((await request(service(), '/speechtotext/v1/jobs', { headers })).json()).toEqual([]);
});

test('credit that is used up is an error that the client does not repeat', async () => {
  const { token } = await accountWith(0, service());
  const { audio } = clientOf(service(), token);
  for (const stream of [false, true]) {
    const error = await errorOf(audio.transcriptions.create({ file: speech(), model, stream }));
    expect([error.status, error.code]).toEqual([429, 'insufficient_quota']);
    expect(error.headers?.get('x-should-retry')).toBe('false');
  }
});

test('a client is answered when the service stops before its job has ended', async () => {
  const held = Promise.withResolvers<void>();
  const slow = createScriptedRecognizer({ beforeWrite: () => held.promise });
  const own = await startTestService({
    dataDirectory: undefined,
    doors: ['openai'],
    recognizer: slow,
    drainSeconds: 60,
  });
  const waiting = errorOf(clientOf(own).audio.transcriptions.create({ file: speech(), model }));
  await eventually(() => expect(slow.openSessions).toBe(1));
  const closed = own.close();
  held.resolve();
  expect(await waiting).toMatchObject({ status: 503, message: expect.stringContaining('is stopping') });
  await closed;
});

test('a recogniser without phrases gets none, and the log names the field', async () => {
  const own = capturedLog();
  const scripted = createScriptedRecognizer();
  const { url } = await startTestService({
    dataDirectory: undefined,
    doors: ['openai'],
    logger: own.logger,
    recognizer: { ...scripted, capabilities: { ...scripted.capabilities, customVocabulary: false } },
  });
  for (const stream of [false, true]) {
    await clientOf({ url }).audio.transcriptions.create({
      file: speech(),
      model,
      prompt: 'Dashwood',
      stream,
    });
  }
  const named = own.lines().filter(({ door }) => door === 'openai');
  expect(named.map(({ ignored }) => ignored)).toEqual([['prompt']]);
});

test('a client that leaves does not end its job', async () => {
  const gone = new AbortController();
  const waiting = clientOf(service()).audio.transcriptions.create(
    { file: speech([5, 5]), model },
    { signal: gone.signal },
  );
  await eventually(async () => {
    const [job] = (await request(service(), '/speechtotext/v1/jobs?limit=1')).json();
    expect(job.name).toBe('talk.wav');
  });
  gone.abort();
  await waiting.catch(() => {});
  expect(log.lines().filter(({ level }) => level >= 50)).toEqual([]);
  await eventually(async () => {
    const [job] = (await request(service(), '/speechtotext/v1/jobs?limit=1')).json();
    expect(job.status).toBe('transcribed');
  });
});

test('a deployment without streams has none by the door either', async () => {
  const own = await startTestService({ dataDirectory: undefined, doors: ['openai'], region: 'eu' });
  const { audio } = clientOf(own);
  expect(await audio.transcriptions.create({ file: speech(), model })).toHaveProperty('text');
  expect((await errorOf(audio.transcriptions.create({ file: speech(), model, stream: true }))).status).toBe(
    404,
  );
});

test('a service without the door has none of its paths', async () => {
  const plain = await startTestService();
  expect((await request(plain, '/v1/models')).status).toBe(404);
});

test('doors require accounts in a store, and known names', async () => {
  await expect(startTestService({ doors: ['openai'] })).rejects.toThrow(
    /'doors' requires accounts in a store/,
  );
  const wrong = { doors: ['gate' as 'openai'], dataDirectory: undefined };
  await expect(startTestService(wrong)).rejects.toThrow(
    "Door 'gate' is unknown (allowed: openai, deepgram).",
  );
});

describe('the phrases of a prompt', () => {
  test.each([
    ['Dashwood, Norland Park; J. R. R. Tolkien', ['Dashwood', 'Norland Park', 'J. R. R. Tolkien']],
    ['The letter that Mrs Ferrars wrote to her son in Norland.', ['Mrs Ferrars', 'Norland']],
    ['', []],
    ['1984, ?!, 2024', []],
  ])('%j are %j', (prompt, phrases) => {
    expect(phrasesIn([prompt])).toEqual(phrases);
  });

  // A pattern that tries every run again would not end.
  test.each(['.', 'a.', ' ', 'A ', ',a', 'A.'])('are found in a megabyte of %j', part => {
    expect(phrasesIn([`${part.repeat(2 ** 20)}x`, 'Dashwood'])).toBeDefined();
  });
});

test('the job of a client that leaves a streamed answer has all words of its recording', async () => {
  const levels = new Array(600).fill([4, 7, 0, 0, 0]).flat();
  const events = await clientOf(service()).audio.transcriptions.create({
    file: speech(levels),
    model,
    stream: true,
  });
  for await (const { type } of events) if (type === 'transcript.text.delta') break;
  await eventually(async () => {
    const [job] = (await request(service(), '/speechtotext/v1/jobs?limit=1')).json();
    expect(job).toMatchObject({ type: 'stream', status: 'transcribed', duration_seconds: 300 });
  });
});
