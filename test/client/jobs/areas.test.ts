import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { type Client, createClient } from '../../../src/client/jobs/createClient.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';
import { type GivenAnswer, startHttpService, type TakenRequest } from '../../helpers/httpService.ts';

const TOKEN = 'token-of-the-account';
const JOB = {
  id: 'a1',
  created_on: '2026-01-01T00:00:00.000Z',
  status: 'in_progress',
  type: 'async',
  a_later_field: { with_parts: 1 },
};
const { created_on: createdOn, ...REST } = JOB;
const SEEN_JOB = { ...REST, createdOn };
const TRANSCRIPT = {
  monologues: [
    { speaker: 0, elements: [{ type: 'text', value: 'Hi', ts: 0.5, end_ts: 1, confidence: 0.9 }] },
  ],
};
const SEEN_TRANSCRIPT: Transcript = {
  monologues: [{ speaker: 0, elements: [{ type: 'text', value: 'Hi', ts: 0.5, endTs: 1, confidence: 0.9 }] }],
};

/** Makes one call of a client; gives the request that arrived, and what the call gave. */
async function callOf(answer: GivenAnswer, call: (client: Client) => Promise<unknown>, brand?: string) {
  const service = await startHttpService(() => answer);
  const client = createClient({ url: service.url, token: TOKEN, ...(brand && { brand }) });
  const given = await call(client);
  expect(service.requests).toHaveLength(1);
  return { request: service.requests[0]!, given };
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const line = ({ method, url }: TakenRequest) => `${method} ${url}`;

describe('the client', () => {
  test('asks for the account with its token', async () => {
    const { request, given } = await callOf({ json: { email: 'a@b.c', balance_seconds: 60 } }, client =>
      client.account(),
    );
    expect(line(request)).toBe('GET /speechtotext/v1/account');
    expect(request.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(given).toEqual({ email: 'a@b.c', balanceSeconds: 60 });
  });

  test('submits media by its address, with every option under its name on the wire', async () => {
    const { request, given } = await callOf({ json: JOB }, client =>
      client.transcription.submit(
        { url: 'https://example.org/a.wav', authorization: 'Basic abc' },
        {
          notification: { url: new URL('https://example.org/hook'), authorization: 'Bearer h' },
          metadata: 'snake_case stays',
          deleteAfterSeconds: 60,
          language: 'en',
          skipDiarization: true,
          skipPunctuation: false,
          skipPostprocessing: true,
          filterProfanity: true,
          removeDisfluencies: true,
          speakerChannelsCount: 2,
          speakersCount: 3,
          customVocabularyId: 'cv1',
          customVocabularies: [{ phrases: ['a b'] }, 'c'],
          transcriber: 'human',
          verbatim: true,
          rush: true,
          segmentsToTranscribe: [{ start: '0', end: 60.5 }],
          speakerNames: [{ displayName: 'Jane_Doe' }],
        },
      ),
    );
    expect(line(request)).toBe('POST /speechtotext/v1/jobs');
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.json()).toEqual({
      source_config: { url: 'https://example.org/a.wav', auth_headers: { Authorization: 'Basic abc' } },
      notification_config: { url: 'https://example.org/hook', auth_headers: { Authorization: 'Bearer h' } },
      metadata: 'snake_case stays',
      delete_after_seconds: 60,
      language: 'en',
      skip_diarization: true,
      skip_punctuation: false,
      skip_postprocessing: true,
      filter_profanity: true,
      remove_disfluencies: true,
      speaker_channels_count: 2,
      speakers_count: 3,
      custom_vocabulary_id: 'cv1',
      custom_vocabularies: [{ phrases: ['a b'] }, 'c'],
      transcriber: 'human',
      verbatim: true,
      rush: true,
      segments_to_transcribe: [{ start: '0', end: 60.5 }],
      speaker_names: [{ display_name: 'Jane_Doe' }],
    });
    expect(given).toEqual(SEEN_JOB);
  });

  test.each<[string, string, (client: Client) => Promise<unknown>, object]>([
    [
      'language identification',
      'POST /languageid/v1/jobs',
      client => client.languageId.submit({ url: 'https://a.b/c' }, { metadata: 'm' }),
      { source_config: { url: 'https://a.b/c' }, metadata: 'm' },
    ],
    [
      'alignment to a text',
      'POST /alignment/v1/jobs',
      client => client.alignment.submit({ url: 'https://a.b/c' }, { text: 'one two', language: 'en' }),
      { source_config: { url: 'https://a.b/c' }, transcript_text: 'one two', language: 'en' },
    ],
    [
      'alignment to a text at an address',
      'POST /alignment/v1/jobs',
      client =>
        client.alignment.submit(
          { url: 'https://a.b/c' },
          { text: { url: 'https://a.b/t', authorization: 'x' } },
        ),
      {
        source_config: { url: 'https://a.b/c' },
        source_transcript_config: { url: 'https://a.b/t', auth_headers: { Authorization: 'x' } },
      },
    ],
    [
      'sentiment of a text',
      'POST /sentiment_analysis/v1/jobs',
      client =>
        client.sentiment.submit('All is well.', {
          deleteAfterSeconds: 0,
          notification: { url: 'https://a.b/h' },
        }),
      {
        text: 'All is well.',
        delete_after_seconds: 0,
        notification_config: { url: 'https://a.b/h' },
      },
    ],
    [
      'sentiment of a transcript',
      'POST /sentiment_analysis/v1/jobs',
      client => client.sentiment.submit(SEEN_TRANSCRIPT),
      { json: TRANSCRIPT },
    ],
    [
      'vocabularies',
      'POST /speechtotext/v1/vocabularies',
      client => client.vocabularies.submit([{ phrases: ['a b', 'c'] }, 'd'], { metadata: 'names' }),
      { custom_vocabularies: [{ phrases: ['a b', 'c'] }, 'd'], metadata: 'names' },
    ],
    [
      'legacy transcription',
      'POST /svcspeech/v1beta/jobs',
      client =>
        client.legacy.submit(
          { url: 'https://a.b/c' },
          { notification: { url: 'https://a.b/h' }, filterProfanity: true },
        ),
      { media_url: 'https://a.b/c', callback_url: 'https://a.b/h', filter_profanity: true },
    ],
  ])('submits %s', async (_, expectedLine, call, body) => {
    const { request, given } = await callOf({ json: JOB }, call);
    expect(line(request)).toBe(expectedLine);
    expect(request.json()).toEqual(body);
    expect(given).toMatchObject({ id: 'a1', createdOn: SEEN_JOB.createdOn });
  });

  test.each<[string, string, (client: Client) => Promise<unknown>, string, GivenAnswer, unknown]>([
    [
      'a job',
      'GET /speechtotext/v1/jobs/a1',
      client => client.transcription.get('a1'),
      'application/json',
      { json: JOB },
      SEEN_JOB,
    ],
    [
      'a legacy job',
      'GET /svcspeech/v1beta/jobs/a1',
      client => client.legacy.get('a1'),
      'application/json',
      { json: { id: 'a1', created_on: JOB.created_on, status: 'in_progress' } },
      { id: 'a1', createdOn: JOB.created_on, status: 'in_progress' },
    ],
    [
      'a vocabulary',
      'GET /speechtotext/v1/vocabularies/cv1',
      client => client.vocabularies.get('cv1'),
      'application/json',
      {
        json: {
          id: 'cv1',
          created_on: JOB.created_on,
          status: 'complete',
          unusable_phrases: [{ phrase: 'x_y', reason: 'r' }],
        },
      },
      {
        id: 'cv1',
        createdOn: JOB.created_on,
        status: 'complete',
        unusablePhrases: [{ phrase: 'x_y', reason: 'r' }],
      },
    ],
    [
      'a transcript',
      'GET /speechtotext/v1/jobs/a1/transcript',
      client => client.transcription.transcript('a1'),
      'application/vnd.svc.transcript.v1.0+json',
      { json: TRANSCRIPT },
      SEEN_TRANSCRIPT,
    ],
    [
      'a transcript as text',
      'GET /speechtotext/v1/jobs/a1/transcript',
      client => client.transcription.transcriptText('a1'),
      'text/plain',
      { text: 'Speaker 0    00:00:00    Hi\n' },
      'Speaker 0    00:00:00    Hi\n',
    ],
    [
      'a legacy transcript as text',
      'GET /svcspeech/v1beta/jobs/a1/transcript',
      client => client.legacy.transcriptText('a1'),
      'text/plain',
      { text: 'Speaker 0    00:00    Hi\n' },
      'Speaker 0    00:00    Hi\n',
    ],
    [
      'captions',
      'GET /speechtotext/v1/jobs/a1/captions',
      client => client.transcription.captions('a1'),
      'application/x-subrip',
      { text: '1\n' },
      '1\n',
    ],
    [
      'captions of one channel',
      'GET /speechtotext/v1/jobs/a1/captions?speaker_channel=1',
      client => client.transcription.captions('a1', { format: 'vtt', speakerChannel: 1 }),
      'text/vtt',
      { text: 'WEBVTT\n' },
      'WEBVTT\n',
    ],
    [
      'languages',
      'GET /languageid/v1/jobs/a1/result',
      client => client.languageId.result('a1'),
      '*/*',
      { json: { top_language: 'en', language_confidences: [{ language: 'en', confidence: 0.7 }] } },
      { topLanguage: 'en', languageConfidences: [{ language: 'en', confidence: 0.7 }] },
    ],
    [
      'times of words',
      'GET /alignment/v1/jobs/a1/transcript',
      client => client.alignment.transcript('a1'),
      'application/vnd.svc.transcript.v1.0+json',
      { json: TRANSCRIPT },
      SEEN_TRANSCRIPT,
    ],
    [
      'sentiments',
      'GET /sentiment_analysis/v1/jobs/a1/result?filter_for=negative',
      client => client.sentiment.result('a1', { filterFor: 'negative' }),
      '*/*',
      { json: { messages: [{ content: 'No.', score: -0.5, sentiment: 'negative', end_ts: 1 }] } },
      { messages: [{ content: 'No.', score: -0.5, sentiment: 'negative', endTs: 1 }] },
    ],
    [
      'a page of jobs',
      'GET /languageid/v1/jobs?limit=2&starting_after=b2',
      client => client.languageId.list({ limit: 2, startingAfter: 'b2' }),
      'application/json',
      { json: [JOB] },
      [SEEN_JOB],
    ],
    [
      'the legacy account',
      'GET /svcspeech/v1beta/account',
      client => client.legacy.account(),
      'application/json',
      { json: { email: 'a@b.c', balance_seconds: 60 } },
      { email: 'a@b.c', balanceSeconds: 60 },
    ],
    [
      'nothing for what it deletes',
      'DELETE /speechtotext/v1/jobs/a1',
      client => client.transcription.delete('a1'),
      'application/json',
      { status: 204, text: '' },
      undefined,
    ],
    [
      'nothing for a vocabulary that it deletes',
      'DELETE /speechtotext/v1/vocabularies/cv1',
      client => client.vocabularies.delete('cv1'),
      'application/json',
      { status: 204, text: '' },
      undefined,
    ],
  ])('gives %s', async (_, expectedLine, call, accept, answer, expected) => {
    const { request, given } = await callOf(answer, call);
    expect(line(request)).toBe(expectedLine);
    expect(request.headers.accept).toBe(accept);
    expect(given).toEqual(expected);
  });

  test('uses the word of the brand in paths and media types', async () => {
    const { request } = await callOf({ json: TRANSCRIPT }, client => client.legacy.transcript('a1'), 'acme');
    expect(line(request)).toBe('GET /acmespeech/v1beta/jobs/a1/transcript');
    expect(request.headers.accept).toBe('application/vnd.acme.transcript.v1.0+json');
  });

  test('finds a service below a path, and keeps what its address asks for', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    const client = createClient({ url: `${service.url}/behind/a/proxy//?tenant=7`, token: TOKEN });
    await client.transcription.get('a1');
    expect(service.requests[0]!.url).toBe('/behind/a/proxy/speechtotext/v1/jobs/a1?tenant=7');
  });

  test('lists all jobs, page after page, as they are taken', async () => {
    const ids = ['e', 'd', 'c', 'b', 'a'];
    const service = await startHttpService(({ url }) => {
      const query = new URL(url, 'http://a').searchParams;
      const from = ids.indexOf(query.get('starting_after') ?? '') + 1;
      return { json: ids.slice(from, from + Number(query.get('limit'))).map(id => ({ ...JOB, id })) };
    });
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    const all = await listOf(transcription.listAll({ limit: 2 }));
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(service.requests).toHaveLength(4);

    for await (const { id } of transcription.listAll({ limit: 2, startingAfter: 'e' })) if (id === 'd') break;
    expect(service.requests).toHaveLength(5);
  });

  test('does not ask for ever when a service gives the same page again', async () => {
    const service = await startHttpService(() => ({ json: [JOB] }));
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    await expect(listOf(transcription.listAll())).rejects.toMatchObject({ name: 'ProtocolError' });
  });

  test.each(['', '.', '..'])('refuses the id "%s", which would lead to another path', async id => {
    const service = await startHttpService(() => ({ status: 204 }));
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    await expect(transcription.delete(id)).rejects.toThrow(InvalidArgumentError);
    await expect(transcription.get(id)).rejects.toThrow(InvalidArgumentError);
    expect(service.requests).toEqual([]);
  });

  test('keeps the path of an id with slashes', async () => {
    const { request } = await callOf({ json: JOB }, client => client.transcription.get('../a?b#c'));
    expect(request.url).toBe('/speechtotext/v1/jobs/..%2Fa%3Fb%23c');
  });

  test('asks for a token before each request when it is to', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    let count = 0;
    const client = createClient({ url: service.url, token: async () => `token-${count++}` });
    await client.transcription.get('a1');
    await client.transcription.get('a1');
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });

  test.each([
    ['an address that is none', { url: 'nowhere' }],
    ['an address of another kind', { url: 'ftp://host' }],
    ['a brand that cannot be one', { brand: 'A/B' }],
    ['no time at all', { timeoutMs: 0 }],
  ])('refuses %s', (_, options) => {
    expect(() => createClient({ url: 'http://a', token: TOKEN, ...options })).toThrow(InvalidArgumentError);
  });
});
