import { describe, expect, test } from 'vitest';
import {
  ALIGNMENT_JOBS,
  LANGUAGE_JOBS,
  LEGACY_JOBS,
  PLAIN_VOCABULARIES,
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
const LONGEST_URL = `http://127.0.0.1:9/${'x'.repeat(2029)}`;
const job = (options: object) => ({ ...SOURCE, ...options });
const human = (options: object) => ({ ...HUMAN, ...options });
const withHeaders = (auth_headers: object) => ({ source_config: { url: URL, auth_headers } });
const segment = (start: number | string, end: number | string) => ({ start, end });
const segments = (...list: object[]) => ({ segments_to_transcribe: list });
const phrases = (...list: string[]) => ({ custom_vocabularies: [{ phrases: list }] });
const transcript = (...elements: object[]) => ({ json: { monologues: [{ speaker: 0, elements }] } });

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

describe.each<[string, readonly (readonly [string, object])[]]>([
  [
    SPEECH_JOBS,
    [
      ['an address', SOURCE],
      ['its older name', { media_url: URL }],
      ['an address of 2048 characters', { media_url: LONGEST_URL }],
      ['a header for the download', withHeaders({ Authorization: 'x' })],
      ['a header whose name is in lower case', withHeaders({ authorization: 'x' })],
      ['no headers', withHeaders({})],
      ['headers without a value', withHeaders({ AUTHORIZATION: '', 'X-Key': null })],
      ['an older name of the notified address', job({ callback_url: 'https://me.example' })],
      ['512 characters of metadata', job({ metadata: 'x'.repeat(512) })],
      ['512 emoji as metadata', job({ metadata: '😀'.repeat(512) })],
      ['metadata without characters', job({ metadata: '' })],
      ['the shortest life', job({ delete_after_seconds: 0 })],
      ['the longest life', job({ delete_after_seconds: 2_592_000 })],
      ['8 channels', job({ speaker_channels_count: 8 })],
      ['plain strings as phrases', job({ custom_vocabularies: ['a phrase', { phrases: ['b'] }] })],
      ['a phrase of 12 words', job(phrases('a '.repeat(12)))],
      ['a word of 34 letters', job(phrases('é'.repeat(34)))],
      ['21 terms for a machine', job(phrases(...Array(21).fill('a')))],
      ['20 terms for a person', human(phrases(...Array(20).fill('a')))],
      ['adjacent segments', human(segments(segment(60, '120.5'), segment('0', '60.0')))],
      ['a minute that starts at a decimal', human(segments(segment('0.1', '60.1')))],
      ['fields of other services', job({ test_mode: true, topics: true, summarization_config: null })],
      ['null instead of an address', job({ media_url: null, notification_config: null })],
      ['null instead of an option', job({ language: null, rush: null, custom_vocabularies: null })],
      ['an empty id', job({ custom_vocabulary_id: '', custom_vocabularies: ['a'] })],
      ['booleans as text', job({ skip_diarization: 'true', filter_profanity: 'FALSE', verbatim: 'True' })],
      [
        'characters that no database stores',
        { media_url: `${URL}?\0`, metadata: 'a\0b\ud800', custom_vocabularies: ['a\0'] },
      ],
    ],
  ],
  [
    LEGACY_JOBS,
    [
      ['256 characters of metadata', { media_url: URL, metadata: 'x'.repeat(256) }],
      ['a notified address', { media_url: URL, callback_url: 'http://me.example' }],
      ['an address of 2048 characters', { media_url: LONGEST_URL }],
    ],
  ],
  [
    LANGUAGE_JOBS,
    [
      ['an address', SOURCE],
      ['its older name', { media_url: URL, callback_url: 'http://me.example' }],
    ],
  ],
  [
    ALIGNMENT_JOBS,
    [
      ['a text to align', job({ transcript_text: 'two words' })],
      ['the address of a text', job({ source_transcript_config: { url: URL } })],
    ],
  ],
  [
    SENTIMENT_JOBS,
    [
      ['a plain text', { text: 'I love it.' }],
      ['a transcript', transcript({ type: 'text', value: 'Hi', ts: null }, { type: 'punct', value: '.' })],
      ['an unintelligible transcript', transcript({ type: 'unknown', value: '<inaudible>' })],
    ],
  ],
  [VOCABULARIES, [['phrases', { ...phrases('a'), metadata: 'm', callback_url: 'http://me.example' }]]],
  [PLAIN_VOCABULARIES, [['phrases', phrases('a')]]],
])('a submission to %s is accepted with', (path, rows) => {
  test.each(rows)('%s', async (_, body) => {
    expect(await faultsOf(path, body)).toEqual([]);
  });
});

test.each<[string, object]>([
  [SPEECH_JOBS, SOURCE],
  [ALIGNMENT_JOBS, job({ transcript_text: 'two words' })],
  [SENTIMENT_JOBS, { text: 'I love it.' }],
])('%s ignores the region of a language', async (path, body) => {
  for (const language of ['en-US', 'en-us', 'en_US', 'EN']) {
    const { status, json } = await postJson(service(), path, { ...body, language });
    expect([status, json().language], language).toEqual([200, 'en']);
  }
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

  test.each<[string, string, object, string]>([
    ['a legacy typing error', LEGACY_JOBS, { media_url: URL, meta_data: 'm' }, 'meta_data'],
    ['an option for people only', SPEECH_JOBS, job({ verbatim: true }), 'verbatim'],
    [
      'a field of an item',
      SPEECH_JOBS,
      job({ custom_vocabularies: [{ phrases: ['a'], weight: 2 }] }),
      'custom_vocabularies.weight',
    ],
    ['a language to identify', LANGUAGE_JOBS, job({ language: 'en' }), 'language'],
    ['another name of a text', ALIGNMENT_JOBS, job({ transcript_text: 'a', text: 'a' }), 'text'],
    [
      'a field of a transcript',
      SENTIMENT_JOBS,
      { json: { monologues: [{ speaker: 0, elements: [], n: 1 }] } },
      'json.monologues.n',
    ],
    ['a field of a vocabulary', VOCABULARIES, { custom_vocabularies: ['a'], name: 'x\ud800' }, 'name'],
    ['a long name', SPEECH_JOBS, job({ ['\0'.repeat(9000)]: 1 }), '\ufffd'.repeat(100)],
  ])('are named: %s', async (_, path, body, name) => {
    const { status, json } = await postJson(service(), path, body);
    expect([status, json().ignored_options]).toEqual([200, [name]]);
    expect((await request(service(), `${path}/${json().id}`)).json().ignored_options).toEqual([name]);
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

test('messages name the required value', async () => {
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

describe.each<[string, readonly (readonly [string, unknown, ...string[]])[]]>([
  [
    SPEECH_JOBS,
    [
      ['nothing', {}, 'source_config'],
      ['null', null, 'source_config'],
      ['a list', [], 'request'],
      ['a text', 'x', 'request'],
      ['no address in a source', { source_config: {} }, 'source_config.url'],
      ['an empty address', { source_config: { url: '' } }, 'source_config.url'],
      ['both names of a source', job({ media_url: URL }), 'media_url'],
      ['an address of another scheme', { source_config: { url: 'file:///etc/passwd' } }, 'source_config.url'],
      [
        'an address with a password',
        { source_config: { url: 'http://a:b@example.org' } },
        'source_config.url',
      ],
      ['a relative address', { media_url: 'talk.wav' }, 'media_url'],
      ['an address of 2049 characters', { media_url: `${LONGEST_URL}x` }, 'media_url'],
      ['another header', withHeaders({ 'X-Key': 'secret' }), 'source_config.auth_headers.Authorization'],
      [
        'a header with line breaks',
        withHeaders({ Authorization: 'a\r\nHost: b' }),
        'source_config.auth_headers.Authorization',
      ],
      [
        'a header with characters of no header',
        job({ notification_config: { url: URL, auth_headers: { authorization: 'Bearer →' } } }),
        'notification_config.auth_headers.Authorization',
      ],
      [
        'both names of the notified address',
        job({ notification_config: { url: URL }, callback_url: URL }),
        'callback_url',
      ],
      [
        'a notified address of another scheme',
        job({ notification_config: { url: 'ftp://x' } }),
        'notification_config.url',
      ],
      [
        'a notified address of 1025 characters',
        job({ callback_url: `http://${'x'.repeat(1018)}` }),
        'callback_url',
      ],
      ['513 emoji as metadata', job({ metadata: '😀'.repeat(513) }), 'metadata'],
      ['513 characters of metadata', job({ metadata: 'x'.repeat(513) }), 'metadata'],
      ['a number as metadata', job({ metadata: 1 }), 'metadata'],
      ['a negative life', job({ delete_after_seconds: -1 }), 'delete_after_seconds'],
      ['a life of more than 30 days', job({ delete_after_seconds: 2_592_001 }), 'delete_after_seconds'],
      ['half a second of life', job({ delete_after_seconds: 0.5 }), 'delete_after_seconds'],
      ['a text instead of a boolean', job({ skip_punctuation: 'yes' }), 'skip_punctuation'],
      ['another transcriber', job({ transcriber: 'parrot' }), 'transcriber'],
      ['no channels', job({ speaker_channels_count: 0 }), 'speaker_channels_count'],
      ['9 channels', job({ speaker_channels_count: 9 }), 'speaker_channels_count'],
      ['no speakers', job({ speakers_count: 0 }), 'speakers_count'],
      ['no vocabularies', job({ custom_vocabularies: [] }), 'custom_vocabularies'],
      ['51 vocabularies', job({ custom_vocabularies: Array(51).fill('a') }), 'custom_vocabularies'],
      ['a vocabulary without phrases', job(phrases()), 'custom_vocabularies[0].phrases'],
      ['6001 phrases', job(phrases(...Array(6001).fill('a'))), 'custom_vocabularies[0].phrases'],
      ['a phrase of 13 words', job(phrases('b', 'a '.repeat(13))), 'custom_vocabularies[0].phrases[1]'],
      ['a word of 35 letters', job({ custom_vocabularies: ['a'.repeat(35)] }), 'custom_vocabularies[0]'],
      ['a phrase without a letter', job(phrases('42')), 'custom_vocabularies[0].phrases[0]'],
      ['a number as a vocabulary', job({ custom_vocabularies: ['a', 7] }), 'custom_vocabularies[1]'],
      [
        'null as a phrase',
        job({ custom_vocabularies: [{ phrases: [null] }] }),
        'custom_vocabularies[0].phrases[0]',
      ],
      [
        'a vocabulary by id and inline',
        job({ custom_vocabulary_id: 'cvX', custom_vocabularies: ['a'] }),
        'custom_vocabulary_id',
      ],
      ['21 terms for a person', human(phrases(...Array(21).fill('a'))), 'custom_vocabularies'],
      ['a segment of 59.9 seconds', human(segments(segment(0, 59.9))), 'segments_to_transcribe[0]'],
      [
        'a segment that ends before it starts',
        human(segments(segment(0, 60), segment(200, 100))),
        'segments_to_transcribe[1]',
      ],
      [
        'overlapping segments',
        human(segments(segment(100, 200), segment(0, 100.1))),
        'segments_to_transcribe',
      ],
      ['a time with a unit', human(segments(segment('1m', 200))), 'segments_to_transcribe[0].start'],
      ['a negative time', human(segments(segment(-1, 200))), 'segments_to_transcribe[0].start'],
      ['segments for a machine', job({ ...segments(segment(0, 60)), rush: true }), 'segments_to_transcribe'],
      ['a speaker without a name', human({ speaker_names: [{}] }), 'speaker_names[0].display_name'],
    ],
  ],
  [
    LEGACY_JOBS,
    [
      ['an address under its newer name', SOURCE, 'media_url'],
      ['257 characters of metadata', { media_url: URL, metadata: 'x'.repeat(257) }, 'metadata'],
      ['an address of 2049 characters', { media_url: `${LONGEST_URL}x` }, 'media_url'],
    ],
  ],
  [LANGUAGE_JOBS, [['no media', { metadata: 'x' }, 'source_config']]],
  [
    ALIGNMENT_JOBS,
    [
      ['nothing', {}, 'source_config', 'transcript_text'],
      ['two texts', job({ transcript_text: 'a', source_transcript_config: { url: URL } }), 'transcript_text'],
      ['a text without words', job({ transcript_text: ' - ' }), 'transcript_text'],
      [
        'a text at another scheme',
        job({ source_transcript_config: { url: 'data:,a' } }),
        'source_transcript_config.url',
      ],
      [
        'a line break in the header for a text',
        job({ source_transcript_config: { url: URL, auth_headers: { Authorization: 'a\nb' } } }),
        'source_transcript_config.auth_headers.Authorization',
      ],
    ],
  ],
  [
    SENTIMENT_JOBS,
    [
      ['no text', {}, 'text'],
      ['an empty text', { text: '' }, 'text'],
      ['two texts', { text: 'a', json: { monologues: [] } }, 'text'],
      [
        'a transcript with an incomplete element',
        transcript({ type: 'text' }),
        'json.monologues[0].elements[0].value',
      ],
    ],
  ],
  [
    VOCABULARIES,
    [
      ['no phrases', {}, 'custom_vocabularies'],
      ['phrases without letters', { custom_vocabularies: ['1'] }, 'custom_vocabularies[0]'],
    ],
  ],
])('a submission to %s is refused with', (path, rows) => {
  test.each(rows)('%s', async (_, body, ...faults) => {
    expect((await faultsOf(path, body)).sort()).toEqual(faults);
  });
});

describe('a submission is refused', () => {
  test('with all faults at once', async () => {
    const body = {
      source_config: { url: 'ftp://x' },
      callback_url: 'x',
      metadata: 1,
      transcriber: 'x',
      rush: 'x',
      custom_vocabulary_id: 'cv',
      custom_vocabularies: ['1', 2],
      ...segments(segment('x', 'y')),
      speaker_names: 'x',
      delete_after_seconds: 'x',
    };
    expect((await faultsOf(SPEECH_JOBS, body)).sort()).toEqual([
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
    ]);
  });

  test('with an upload and an address', async () => {
    for (const options of [SOURCE, { media_url: URL }]) {
      const { status, json } = await postMedia(service(), SPEECH_JOBS, undefined, options);
      expect([status, Object.keys(json().parameters)]).toEqual([400, Object.keys(options)]);
    }
  });

  test.each(['cvNobodysId123', 'x/../y', '\u0000', 'é'])('with an unknown vocabulary: %j', async id => {
    const { status, json } = await postJson(service(), SPEECH_JOBS, { ...SOURCE, custom_vocabulary_id: id });
    expect([status, json().type]).toEqual([404, `${service().url}/errors/custom-vocabulary-not-found`]);
  });

  test.each<[string, string, number, string?, string?]>([
    ['malformed JSON', '{', 400],
    ['an empty body', '', 400],
    ['a body that names the prototype', '{"__proto__": {"media_url": "http://x"}}', 400],
    ['a body that names the constructor', '{"constructor": {"prototype": {"media_url": 1}}}', 400],
    ['deep JSON', '['.repeat(200_000), 400],
    ['deep and complete JSON', `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['another media type', 'media_url=http://x', 415, 'application/x-www-form-urlencoded'],
    ['a text', 'x', 415, 'text/plain'],
    ['a form where there is no media', '--x--\r\n', 415, 'multipart/form-data; boundary=x', SENTIMENT_JOBS],
  ])('with %s', async (_, body, status, type = 'application/json', path = SPEECH_JOBS) => {
    const init = { method: 'POST', body, headers: { 'content-type': type } };
    const answer = await request(service(), path, init);
    expect([answer.status, answer.json().status]).toEqual([status, status]);
  });

  test('with more JSON than the limit of its area', async () => {
    const sized = (bytes: number) => ({ text: 'I am fine. '.repeat(bytes / 11) });
    const tooLong = await postJson(service(), SPEECH_JOBS, sized(1_100_000));
    expect([tooLong.status, tooLong.json().title]).toEqual([413, 'Payload Too Large']);
    expect(await faultsOf(SENTIMENT_JOBS, sized(1_100_000))).toEqual([]);
    expect((await postJson(service(), SENTIMENT_JOBS, sized(17_000_000))).status).toBe(413);
  });
});
