import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../../src/base/errors.ts';
import { type Client, createClient } from '../../../src/client/jobs/createClient.ts';
import { collect } from '../../helpers/collect.ts';
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
/** Makes one call of a client; gives the request that arrived, and what the call gave. */
async function callOf(answer: GivenAnswer, call: (client: Client) => Promise<unknown>, brand?: string) {
  const service = await startHttpService(() => answer);
  const client = createClient({ url: service.url, token: TOKEN, ...(brand && { brand }) });
  const given = await call(client);
  expect(service.requests).toHaveLength(1);
  return { request: service.requests[0]!, given };
}

const line = ({ method, url }: TakenRequest) => `${method} ${url}`;

describe('the client', () => {
  test('submits media by its address, with every option under its name on the wire', async () => {
    const { request, given } = await callOf({ json: JOB }, client =>
      client.transcription.submit(
        { url: 'https://example.org/a.wav', authorization: 'Basic abc' },
        {
          notification: { url: new URL('https://example.org/hook'), authorization: 'Bearer h' },
          metadata: 'snake_case stays',
          deleteAfterSeconds: 0,
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
      delete_after_seconds: 0,
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
      'captions of one channel',
      'GET /speechtotext/v1/jobs/a1/captions?speaker_channel=1',
      client => client.transcription.captions('a1', { format: 'vtt', speakerChannel: 1 }),
      'text/vtt',
      { text: 'WEBVTT\n' },
      'WEBVTT\n',
    ],
    [
      'a page of jobs',
      'GET /languageid/v1/jobs?limit=2&starting_after=b2',
      client => client.languageId.list({ limit: 2, startingAfter: 'b2' }),
      'application/json',
      { json: [JOB] },
      [SEEN_JOB],
    ],
  ])('returns %s', async (_, expectedLine, call, accept, answer, expected) => {
    const { request, given } = await callOf(answer, call);
    expect(line(request)).toBe(expectedLine);
    expect(request.headers.accept).toBe(accept);
    expect(given).toEqual(expected);
  });

  test('uses the brand word in paths and media types', async () => {
    const { request } = await callOf({ json: TRANSCRIPT }, client => client.legacy.transcript('a1'), 'acme');
    expect(line(request)).toBe('GET /acmespeech/v1beta/jobs/a1/transcript');
    expect(request.headers.accept).toBe('application/vnd.acme.transcript.v1.0+json');
  });

  test('keeps the path and the query of the address of a service', async () => {
    const service = await startHttpService(() => ({ json: JOB }));
    const client = createClient({ url: `${service.url}/behind/a/proxy//?tenant=7`, token: TOKEN });
    await client.transcription.get('a1');
    expect(service.requests[0]!.url).toBe('/behind/a/proxy/speechtotext/v1/jobs/a1?tenant=7');
  });

  test('fetches the pages of all jobs on demand', async () => {
    const ids = ['e', 'd', 'c', 'b', 'a'];
    const service = await startHttpService(({ url }) => {
      const query = new URL(url, 'http://a').searchParams;
      const from = ids.indexOf(query.get('starting_after') ?? '') + 1;
      return { json: ids.slice(from, from + Number(query.get('limit'))).map(id => ({ ...JOB, id })) };
    });
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    const all = await collect(transcription.listAll({ limit: 2 }));
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(service.requests).toHaveLength(4);

    for await (const { id } of transcription.listAll({ limit: 2, startingAfter: 'e' })) if (id === 'd') break;
    expect(service.requests).toHaveLength(5);
  });

  test('refuses a page that a service returns twice', async () => {
    const service = await startHttpService(() => ({ json: [JOB] }));
    const { transcription } = createClient({ url: service.url, token: TOKEN });
    await expect(collect(transcription.listAll())).rejects.toMatchObject({ name: 'ProtocolError' });
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

  test('calls the function for tokens before each request', async () => {
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
    ['an invalid address', { url: 'nowhere' }],
    ['an address of another scheme', { url: 'ftp://host' }],
    ['an invalid brand', { brand: 'A/B' }],
    ['a timeout of 0', { timeoutMs: 0 }],
  ])('refuses %s', (_, options) => {
    expect(() => createClient({ url: 'http://a', token: TOKEN, ...options })).toThrow(InvalidArgumentError);
  });
});
