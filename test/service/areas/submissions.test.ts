import { describe, expect, test } from 'vitest';
import {
  ALIGNMENT_JOBS,
  LANGUAGE_JOBS,
  LEGACY_JOBS,
  SENTIMENT_JOBS,
  SPEECH_JOBS,
  VOCABULARIES,
} from '../../helpers/collections.ts';
import { keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { request } from '../../helpers/testService.ts';

const service = keptService();

/** An address from which no job can download. */
const URL = 'http://127.0.0.1:9/talk.wav';
const SOURCE = { source_config: { url: URL } };
const HUMAN = { ...SOURCE, transcriber: 'human' };
const segment = (start: number | string, end: number | string) => ({ start, end });
const phrases = (...list: string[]) => [{ phrases: list }];

/** Returns the faulty parameters of an answer, after checking its format. */
async function faultsOf(path: string, body: unknown): Promise<string[]> {
  const { status, headers, json } = await postJson(service(), path, body);
  if (status === 200) return [];
  expect([status, headers.get('content-type')]).toEqual([
    400,
    expect.stringMatching(/^application\/problem\+json/),
  ]);
  const { title, type, parameter, parameters } = json();
  expect(title).toBe("Your request parameters didn't validate");
  expect(type).toBe(`${service().url}/errors/invalid-parameters`);
  expect(parameter).toEqual(parameters);
  for (const messages of Object.values(parameters)) expect(messages).toEqual([expect.stringMatching(/^./)]);
  return Object.keys(parameters);
}

describe('accepted submissions', () => {
  test.each<[string, string, object]>([
    ['an address', SPEECH_JOBS, SOURCE],
    ['its older name', SPEECH_JOBS, { media_url: URL }],
    ['an address of 2048 characters', SPEECH_JOBS, { media_url: `http://127.0.0.1:9/${'x'.repeat(2029)}` }],
    [
      'a header for the download',
      SPEECH_JOBS,
      { source_config: { url: URL, auth_headers: { Authorization: 'x' } } },
    ],
    [
      'a header whose name is in lower case',
      SPEECH_JOBS,
      { source_config: { url: URL, auth_headers: { authorization: 'x' } } },
    ],
    [
      'headers without a value',
      SPEECH_JOBS,
      {
        source_config: { url: URL, auth_headers: {} },
        notification_config: { url: URL, auth_headers: { AUTHORIZATION: '', 'X-Key': null } },
      },
    ],
    ['an older name of the notified address', SPEECH_JOBS, { ...SOURCE, callback_url: 'https://me.example' }],
    ['512 characters of metadata', SPEECH_JOBS, { ...SOURCE, metadata: 'x'.repeat(512) }],
    ['512 emoji as metadata', SPEECH_JOBS, { ...SOURCE, metadata: '😀'.repeat(512) }],
    ['metadata without characters', SPEECH_JOBS, { ...SOURCE, metadata: '' }],
    ['the shortest life', SPEECH_JOBS, { ...SOURCE, delete_after_seconds: 0 }],
    ['the longest life', SPEECH_JOBS, { ...SOURCE, delete_after_seconds: 2_592_000 }],
    ['8 channels', SPEECH_JOBS, { ...SOURCE, speaker_channels_count: 8 }],
    [
      'plain strings as phrases',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: ['a phrase', { phrases: ['b'] }] },
    ],
    ['a phrase of 12 words', SPEECH_JOBS, { ...SOURCE, custom_vocabularies: phrases('a '.repeat(12)) }],
    ['a word of 34 letters', SPEECH_JOBS, { ...SOURCE, custom_vocabularies: phrases('é'.repeat(34)) }],
    [
      '21 terms for a machine',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: phrases(...Array(21).fill('a')) },
    ],
    [
      '20 terms for a person',
      SPEECH_JOBS,
      { ...HUMAN, custom_vocabularies: phrases(...Array(20).fill('a')) },
    ],
    [
      'segments next to each other',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment(60, '120.5'), segment('0', '60.0')] },
    ],
    [
      'a minute that starts at a decimal',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment('0.1', '60.1')] },
    ],
    [
      'fields of other services',
      SPEECH_JOBS,
      { ...SOURCE, test_mode: true, topics: true, summarization_config: null },
    ],
    [
      'null for what is not set',
      SPEECH_JOBS,
      {
        ...SOURCE,
        media_url: null,
        notification_config: null,
        language: null,
        rush: null,
        segments_to_transcribe: null,
        custom_vocabularies: null,
      },
    ],
    ['an empty id', SPEECH_JOBS, { ...SOURCE, custom_vocabulary_id: '', custom_vocabularies: ['a'] }],
    [
      'booleans as text',
      SPEECH_JOBS,
      { ...SOURCE, skip_diarization: 'true', filter_profanity: 'FALSE', verbatim: 'True' },
    ],
    [
      'a legacy address',
      LEGACY_JOBS,
      { media_url: URL, metadata: 'x'.repeat(256), callback_url: 'http://me.example' },
    ],
    [
      'a legacy address of 2048 characters',
      LEGACY_JOBS,
      { media_url: `http://127.0.0.1:9/${'x'.repeat(2029)}` },
    ],
    ['audio of an unknown language', LANGUAGE_JOBS, SOURCE],
    ['the same by its older names', LANGUAGE_JOBS, { media_url: URL, callback_url: 'http://me.example' }],
    ['a text to align', ALIGNMENT_JOBS, { ...SOURCE, transcript_text: 'two words' }],
    ['the address of one', ALIGNMENT_JOBS, { ...SOURCE, source_transcript_config: { url: URL } }],
    ['a plain text', SENTIMENT_JOBS, { text: 'I love it.' }],
    [
      'a transcript',
      SENTIMENT_JOBS,
      {
        json: {
          monologues: [
            {
              speaker: 0,
              elements: [
                { type: 'text', value: 'Hi', ts: null },
                { type: 'punct', value: '.' },
                { type: 'unknown', value: '<inaudible>' },
              ],
            },
          ],
        },
      },
    ],
    [
      'characters that no database keeps',
      SPEECH_JOBS,
      { media_url: `${URL}?\0`, metadata: 'a\0b\ud800', custom_vocabularies: ['a\0'] },
    ],
    [
      'a vocabulary',
      VOCABULARIES,
      { custom_vocabularies: phrases('a'), metadata: 'm', callback_url: 'http://me.example' },
    ],
    ['the same at the other path', '/vocabularies', { custom_vocabularies: phrases('a') }],
  ])('%s', async (_, path, body) => {
    expect(await faultsOf(path, body)).toEqual([]);
  });

  test.each<[string, object]>([
    [SPEECH_JOBS, SOURCE],
    [ALIGNMENT_JOBS, { ...SOURCE, transcript_text: 'two words' }],
    [SENTIMENT_JOBS, { text: 'I love it.' }],
  ])('%s: a language with a region, which is the language', async (path, body) => {
    for (const language of ['en-US', 'en-us', 'en_US', 'EN']) {
      const { status, json } = await postJson(service(), path, { ...body, language });
      expect([status, json().language], language).toEqual([200, 'en']);
    }
  });
});

describe('fields without effect', () => {
  const NAMED = {
    diarization_type: 'premium',
    remove_atmospherics: true,
    forced_alignment: true,
    strict_custom_vocabulary: false,
  };

  test('are named in the answer and in the job, and echoed when they have a type', async () => {
    const { status, json } = await postJson(service(), SPEECH_JOBS, {
      ...SOURCE,
      ...NAMED,
      rush: true,
      language: 'en',
      skip_diarisation: true,
      source_config: { url: URL, auth_headers: { 'x-key': 'secret', Authorization: 'x' }, ulr: 1 },
    });
    const names = [
      'diarization_type',
      'forced_alignment',
      'remove_atmospherics',
      'rush',
      'skip_diarisation',
      'source_config.auth_headers.x-key',
      'source_config.ulr',
      'strict_custom_vocabulary',
    ];
    expect([status, json()]).toEqual([200, expect.objectContaining({ ...NAMED, rush: true })]);
    expect(json().ignored_options.toSorted()).toEqual(names);
    const job = (await request(service(), `${SPEECH_JOBS}/${json().id}`)).json();
    expect(job.ignored_options).toEqual(json().ignored_options);
    expect(JSON.stringify(job)).not.toContain('secret');
  });

  test.each<[string, string, object, readonly string[]]>([
    ['a legacy typing error', LEGACY_JOBS, { media_url: URL, meta_data: 'm' }, ['meta_data']],
    ['an option that only people heed', SPEECH_JOBS, { ...SOURCE, verbatim: true }, ['verbatim']],
    [
      'a field of an item',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: [{ phrases: ['a'], weight: 2 }] },
      ['custom_vocabularies.weight'],
    ],
    ['a language to identify', LANGUAGE_JOBS, { ...SOURCE, language: 'en' }, ['language']],
    [
      'a text that is given to alignment',
      ALIGNMENT_JOBS,
      { ...SOURCE, transcript_text: 'a', text: 'a' },
      ['text'],
    ],
    [
      'a field of a transcript',
      SENTIMENT_JOBS,
      { json: { monologues: [{ speaker: 0, elements: [], n: 1 }] } },
      ['json.monologues.n'],
    ],
    ['a field of a vocabulary', VOCABULARIES, { custom_vocabularies: ['a'], name: 'x\ud800' }, ['name']],
    ['a long name', SPEECH_JOBS, { ...SOURCE, ['\0'.repeat(9000)]: 1 }, ['\ufffd'.repeat(100)]],
  ])('are named: %s', async (_, path, body, names) => {
    const { status, json } = await postJson(service(), path, body);
    expect([status, json().ignored_options]).toEqual([200, names]);
    expect((await request(service(), `${path}/${json().id}`)).json().ignored_options).toEqual(names);
  });

  test('are named up to a hundred', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, 1]));
    const { json } = await postJson(service(), SPEECH_JOBS, { ...SOURCE, ...many });
    expect(json().ignored_options).toHaveLength(100);
  });

  test('of a form are also parts that it does not have', async () => {
    const form = new FormData();
    form.append('media', new Blob([new Uint8Array(speechFile())]), 'speech.wav');
    form.append('option', '{}');
    form.append('config', '{"metadata":"m"}');
    const answer = await request(service(), SPEECH_JOBS, { method: 'POST', body: form });
    expect(answer.json()).toMatchObject({ metadata: 'm', ignored_options: ['option'] });
  });

  test('are not named when there are none, or for people who heed them', async () => {
    const human = { ...HUMAN, verbatim: true, rush: true, speaker_names: [{ display_name: 'Ann' }] };
    for (const body of [{ ...SOURCE, language: 'en', rush: null }, human]) {
      expect((await postJson(service(), SPEECH_JOBS, body)).json()).not.toHaveProperty('ignored_options');
    }
  });

  test('are refused when clients would wait for their results', async () => {
    const configs = {
      summarization_config: {},
      translation_config: { target_languages: [] },
      topic_extraction_config: {},
    };
    const { status, json } = await postJson(service(), SPEECH_JOBS, { ...SOURCE, ...configs });
    const message = ['is not supported by this deployment'];
    expect([status, json().parameters]).toEqual([
      400,
      Object.fromEntries(Object.keys(configs).map(name => [name, message])),
    ]);
  });

  test('are refused when they have another type', async () => {
    const body = { ...SOURCE, diarization_type: 1, remove_atmospherics: 'x', forced_alignment: 0 };
    expect(await faultsOf(SPEECH_JOBS, body)).toEqual(Object.keys(body).slice(1));
  });
});

test('a job shows its options in the order in which it was submitted', async () => {
  const options = {
    speaker_names: [{ display_name: 'Ann' }],
    segments_to_transcribe: [segment(0, 60)],
    notification_config: { url: URL },
    ...HUMAN,
  };
  const submitted = await postJson(service(), SPEECH_JOBS, options);
  const { text } = await request(service(), `${SPEECH_JOBS}/${submitted.json().id}`);
  expect(text).toContain('"segments_to_transcribe":[{"start":0,"end":60}]');
  const names = (json: string) => Object.keys(JSON.parse(json)).filter(name => name in options);
  expect(names(submitted.text)).toEqual(Object.keys(options));
  expect(names(text)).toEqual(Object.keys(options));
});

test('messages say what was wanted', async () => {
  const body = {
    source_config: [],
    metadata: 1,
    rush: 'yes',
    speakers_count: 1.5,
    delete_after_seconds: -1,
    speaker_channels_count: 9,
    custom_vocabularies: [7],
    segments_to_transcribe: [segment(-1, '1m'), { start: true, end: null }],
    transcriber: 'parrot',
  };
  expect((await postJson(service(), SPEECH_JOBS, body)).json().parameters).toEqual({
    source_config: ['must be an object'],
    metadata: ['must be text'],
    rush: ['must be true or false'],
    speakers_count: ['must be a whole number'],
    delete_after_seconds: ['must be at least 0'],
    speaker_channels_count: ['must be at most 8'],
    'custom_vocabularies[0]': ['must be an object or text'],
    'segments_to_transcribe[0].start': ['must be at least 0'],
    'segments_to_transcribe[0].end': ['must be written like 90.5'],
    'segments_to_transcribe[1].start': ['must be text or a number'],
    'segments_to_transcribe[1].end': ['is required'],
    transcriber: ['must be one of machine, human, machine_v2, machine_v3, low_cost, fusion'],
  });
});

describe('refused submissions', () => {
  test.each<[string, string, unknown, string[]]>([
    ['nothing', SPEECH_JOBS, {}, ['source_config']],
    ['null', SPEECH_JOBS, null, ['source_config']],
    ['a list', SPEECH_JOBS, [], ['request']],
    ['a text', SPEECH_JOBS, 'x', ['request']],
    ['no address in a source', SPEECH_JOBS, { source_config: {} }, ['source_config.url']],
    ['an empty address', SPEECH_JOBS, { source_config: { url: '' } }, ['source_config.url']],
    ['both names of a source', SPEECH_JOBS, { ...SOURCE, media_url: URL }, ['media_url']],
    [
      'an address of another scheme',
      SPEECH_JOBS,
      { source_config: { url: 'file:///etc/passwd' } },
      ['source_config.url'],
    ],
    [
      'an address with a password',
      SPEECH_JOBS,
      { source_config: { url: 'http://a:b@example.org' } },
      ['source_config.url'],
    ],
    ['an address that is none', SPEECH_JOBS, { media_url: 'talk.wav' }, ['media_url']],
    [
      'an address of 2049 characters',
      SPEECH_JOBS,
      { media_url: `http://127.0.0.1:9/${'x'.repeat(2030)}` },
      ['media_url'],
    ],
    [
      'headers without an Authorization',
      SPEECH_JOBS,
      { source_config: { url: URL, auth_headers: { 'X-Api-Key': 'secret' } } },
      ['source_config.auth_headers.Authorization'],
    ],
    [
      'headers with line breaks, or of characters that no header has',
      SPEECH_JOBS,
      {
        source_config: { url: URL, auth_headers: { Authorization: 'a\r\nHost: b' } },
        notification_config: { url: URL, auth_headers: { authorization: 'Bearer →' } },
      },
      ['notification_config.auth_headers.Authorization', 'source_config.auth_headers.Authorization'],
    ],
    [
      'a line break in the header for a text',
      ALIGNMENT_JOBS,
      { ...SOURCE, source_transcript_config: { url: URL, auth_headers: { Authorization: 'a\nb' } } },
      ['source_transcript_config.auth_headers.Authorization'],
    ],
    [
      'both names of the notified address',
      SPEECH_JOBS,
      { ...SOURCE, notification_config: { url: URL }, callback_url: URL },
      ['callback_url'],
    ],
    [
      'a notified address of another scheme',
      SPEECH_JOBS,
      { ...SOURCE, notification_config: { url: 'ftp://x' } },
      ['notification_config.url'],
    ],
    [
      'a notified address of 1025 characters',
      SPEECH_JOBS,
      { ...SOURCE, callback_url: `http://${'x'.repeat(1018)}` },
      ['callback_url'],
    ],
    ['513 emoji as metadata', SPEECH_JOBS, { ...SOURCE, metadata: '😀'.repeat(513) }, ['metadata']],
    ['513 characters of metadata', SPEECH_JOBS, { ...SOURCE, metadata: 'x'.repeat(513) }, ['metadata']],
    ['a number as metadata', SPEECH_JOBS, { ...SOURCE, metadata: 1 }, ['metadata']],
    [
      'a life of less than nothing',
      SPEECH_JOBS,
      { ...SOURCE, delete_after_seconds: -1 },
      ['delete_after_seconds'],
    ],
    [
      'a life of more than 30 days',
      SPEECH_JOBS,
      { ...SOURCE, delete_after_seconds: 2_592_001 },
      ['delete_after_seconds'],
    ],
    [
      'half a second of life',
      SPEECH_JOBS,
      { ...SOURCE, delete_after_seconds: 0.5 },
      ['delete_after_seconds'],
    ],
    ['a text that is no boolean', SPEECH_JOBS, { ...SOURCE, skip_punctuation: 'yes' }, ['skip_punctuation']],
    ['another transcriber', SPEECH_JOBS, { ...SOURCE, transcriber: 'parrot' }, ['transcriber']],
    ['no channels', SPEECH_JOBS, { ...SOURCE, speaker_channels_count: 0 }, ['speaker_channels_count']],
    ['9 channels', SPEECH_JOBS, { ...SOURCE, speaker_channels_count: 9 }, ['speaker_channels_count']],
    ['no speakers', SPEECH_JOBS, { ...SOURCE, speakers_count: 0 }, ['speakers_count']],
    ['no vocabularies', SPEECH_JOBS, { ...SOURCE, custom_vocabularies: [] }, ['custom_vocabularies']],
    [
      '51 vocabularies',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: Array(51).fill('a') },
      ['custom_vocabularies'],
    ],
    [
      'a vocabulary without phrases',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: [{ phrases: [] }] },
      ['custom_vocabularies[0].phrases'],
    ],
    [
      '6001 phrases',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: phrases(...Array(6001).fill('a')) },
      ['custom_vocabularies[0].phrases'],
    ],
    [
      'a phrase of 13 words',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: ['a', { phrases: ['b', 'a '.repeat(13)] }] },
      ['custom_vocabularies[1].phrases[1]'],
    ],
    [
      'a word of 35 letters',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: ['a'.repeat(35)] },
      ['custom_vocabularies[0]'],
    ],
    [
      'a phrase without a letter',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: phrases('42') },
      ['custom_vocabularies[0].phrases[0]'],
    ],
    [
      'a phrase that is no text',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabularies: [7, { phrases: [null] }] },
      ['custom_vocabularies[0]', 'custom_vocabularies[1].phrases[0]'],
    ],
    [
      'a vocabulary by id and inline',
      SPEECH_JOBS,
      { ...SOURCE, custom_vocabulary_id: 'cvX', custom_vocabularies: ['a'] },
      ['custom_vocabulary_id'],
    ],
    [
      '21 terms for a person',
      SPEECH_JOBS,
      { ...HUMAN, custom_vocabularies: phrases(...Array(21).fill('a')) },
      ['custom_vocabularies'],
    ],
    [
      'a segment of 59.9 seconds',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment(0, 59.9)] },
      ['segments_to_transcribe[0]'],
    ],
    [
      'a segment that ends before it starts',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment(0, 60), segment(200, 100)] },
      ['segments_to_transcribe[1]'],
    ],
    [
      'segments over each other',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment(100, 200), segment(0, 100.1)] },
      ['segments_to_transcribe'],
    ],
    [
      'a time that is no number',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment('1m', 200)] },
      ['segments_to_transcribe[0].start'],
    ],
    [
      'a time before the beginning',
      SPEECH_JOBS,
      { ...HUMAN, segments_to_transcribe: [segment(-1, 200)] },
      ['segments_to_transcribe[0].start'],
    ],
    [
      'segments for a machine',
      SPEECH_JOBS,
      { ...SOURCE, segments_to_transcribe: [segment(0, 60)], rush: true },
      ['segments_to_transcribe'],
    ],
    [
      'a speaker without a name',
      SPEECH_JOBS,
      { ...HUMAN, speaker_names: [{}] },
      ['speaker_names[0].display_name'],
    ],
    ['no legacy address', LEGACY_JOBS, SOURCE, ['media_url']],
    [
      '257 characters of legacy metadata',
      LEGACY_JOBS,
      { media_url: URL, metadata: 'x'.repeat(257) },
      ['metadata'],
    ],
    [
      'a legacy address of 2049 characters',
      LEGACY_JOBS,
      { media_url: `http://127.0.0.1:9/${'x'.repeat(2030)}` },
      ['media_url'],
    ],
    ['no audio to identify', LANGUAGE_JOBS, { metadata: 'x' }, ['source_config']],
    ['nothing to align', ALIGNMENT_JOBS, {}, ['source_config', 'transcript_text']],
    [
      'two texts to align',
      ALIGNMENT_JOBS,
      { ...SOURCE, transcript_text: 'a', source_transcript_config: { url: URL } },
      ['transcript_text'],
    ],
    ['a text without words', ALIGNMENT_JOBS, { ...SOURCE, transcript_text: ' - ' }, ['transcript_text']],
    [
      'a text at another scheme',
      ALIGNMENT_JOBS,
      { ...SOURCE, source_transcript_config: { url: 'data:,a' } },
      ['source_transcript_config.url'],
    ],
    ['no text', SENTIMENT_JOBS, {}, ['text']],
    ['an empty text', SENTIMENT_JOBS, { text: '' }, ['text']],
    ['two texts', SENTIMENT_JOBS, { text: 'a', json: { monologues: [] } }, ['text']],
    [
      'a transcript of another form',
      SENTIMENT_JOBS,
      { json: { monologues: [{ speaker: 0, elements: [{ type: 'text' }] }] } },
      ['json.monologues[0].elements[0].value'],
    ],
    ['no phrases', VOCABULARIES, {}, ['custom_vocabularies']],
    ['phrases without letters', VOCABULARIES, { custom_vocabularies: ['1'] }, ['custom_vocabularies[0]']],
  ])('%s', async (_, path, body, faults) => {
    expect((await faultsOf(path, body)).sort()).toEqual([...faults].sort());
  });

  test('all faults are reported at once', async () => {
    const body = {
      source_config: { url: 'ftp://x' },
      callback_url: 'x',
      metadata: 1,
      transcriber: 'x',
      rush: 'x',
      custom_vocabulary_id: 'cv',
      custom_vocabularies: ['1', 2],
      segments_to_transcribe: [segment('x', 'y')],
      speaker_names: 'x',
      delete_after_seconds: 'x',
    };
    expect((await faultsOf(SPEECH_JOBS, body)).sort()).toEqual(
      [
        'callback_url',
        'custom_vocabularies[1]',
        'delete_after_seconds',
        'metadata',
        'rush',
        'segments_to_transcribe[0].end',
        'segments_to_transcribe[0].start',
        'source_config.url',
        'speaker_names',
        'transcriber',
      ].sort(),
    );
  });

  test('an upload with an address', async () => {
    for (const options of [SOURCE, { media_url: URL }]) {
      const { status, json } = await postMedia(service(), SPEECH_JOBS, undefined, options);
      expect([status, Object.keys(json().parameters)]).toEqual([400, Object.keys(options)]);
    }
  });

  test.each(['cvNobodysId123', 'x/../y', '\u0000', 'é'])('an unknown vocabulary: %j', async id => {
    const { status, json } = await postJson(service(), SPEECH_JOBS, { ...SOURCE, custom_vocabulary_id: id });
    expect([status, json().type]).toEqual([404, `${service().url}/errors/custom-vocabulary-not-found`]);
  });

  test.each([
    ['malformed JSON', '{', 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['a body that names the prototype', '{"__proto__": {"media_url": "http://x"}}', 'application/json', 400],
    [
      'a body that names the constructor',
      '{"constructor": {"prototype": {"media_url": 1}}}',
      'application/json',
      400,
    ],
    ['JSON that is deep', '['.repeat(200_000), 'application/json', 400],
    [
      'JSON that is deep and complete',
      `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'application/json',
      400,
    ],
    ['a body of another type', 'media_url=http://x', 'application/x-www-form-urlencoded', 415],
    ['a text', 'x', 'text/plain', 415],
    ['a form where there is no media', '--x--\r\n', 'multipart/form-data; boundary=x', 415],
  ])('%s', async (what, body, type, status) => {
    const path = what.startsWith('a form') ? SENTIMENT_JOBS : SPEECH_JOBS;
    const init = { method: 'POST', body, headers: { 'content-type': type } };
    const answer = await request(service(), path, init);
    expect([answer.status, answer.json().status]).toEqual([status, status]);
  });

  test('more JSON than the limit of an area', async () => {
    const sized = (bytes: number) => ({ text: 'I am fine. '.repeat(bytes / 11) });
    const tooLong = await postJson(service(), SPEECH_JOBS, sized(1_100_000));
    expect([tooLong.status, tooLong.json().title]).toEqual([413, 'Payload Too Large']);
    expect(await faultsOf(SENTIMENT_JOBS, sized(1_100_000))).toEqual([]);
    expect((await postJson(service(), SENTIMENT_JOBS, sized(17_000_000))).status).toBe(413);
  });
});
