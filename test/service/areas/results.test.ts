import { beforeAll, describe, expect, test } from 'vitest';
import { interleave } from '../../../src/audio/format/channels.ts';
import {
  ALIGNMENT_JOBS,
  LANGUAGE_JOBS,
  LEGACY_JOBS,
  SENTIMENT_JOBS,
  SPEECH_JOBS,
} from '../../helpers/collections.ts';
import { endOf, keptService, postJson, postMedia, speechFile } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';
import { scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { type Answer, request } from '../../helpers/testService.ts';
import { wav } from '../../helpers/wavBytes.ts';

const service = keptService(scriptedEngines());

const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';
const LANGUAGE_TYPE = 'application/vnd.svc.languageid.v1.0+json';
const SENTIMENT_TYPE = 'application/vnd.svc.sentiment.v1.0+json';

const get = (path: string, accept?: string) =>
  request(service(), path, { headers: accept === undefined ? {} : { accept } });

/** Resolves with the path of a job when it is done. */
async function done(submitted: Promise<Answer>, jobs: string): Promise<string> {
  const path = `${jobs}/${(await submitted).json().id}`;
  expect((await endOf(service(), path)).status).toMatch(/^(transcribed|completed|complete)$/);
  return path;
}

/** A diarizer with two voices: levels from 100 are the second one. */
const DIALOGUE = speechFile([4, 7, 0, 0, 0, 104, 108, 0, 0, 0, 9]);

describe('a transcript', () => {
  let job: string;
  beforeAll(async () => {
    job = await done(postMedia(service(), SPEECH_JOBS, DIALOGUE), SPEECH_JOBS);
  });

  test('as text has a line for each turn', async () => {
    const { text, headers } = await get(`${job}/transcript`, 'text/plain');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('vary')).toBe('Accept');
    expect(text).toBe(
      [
        'Speaker 0    00:00:00    W4 w7.',
        'Speaker 1    00:00:00    W104 w108.',
        'Speaker 0    00:00:01    W9.',
        '',
      ].join('\n'),
    );
  });

  test('as text has a short form in the legacy area', async () => {
    const { text } = await get(`${job.replace(SPEECH_JOBS, LEGACY_JOBS)}/transcript`, 'text/plain');
    expect(text).toBe('Speaker 0 00:00 W4 w7.\nSpeaker 1 00:00 W104 w108.\nSpeaker 0 00:01 W9.\n');
  });

  test('as JSON is the same in both areas', async () => {
    const paths = [job, job.replace(SPEECH_JOBS, LEGACY_JOBS)];
    const [one, other] = await Promise.all(paths.map(path => get(`${path}/transcript`, JSON_TYPE)));
    expect(one!.json().monologues.map(({ speaker }: { speaker: number }) => speaker)).toEqual([0, 1, 0]);
    expect(one!.text).toBe(other!.text);
    expect(one!.headers.get('content-type')).toBe(JSON_TYPE);
  });

  test.each([SPEECH_JOBS, LEGACY_JOBS])('without speakers is one block: %s', async jobs => {
    const path = await done(postMedia(service(), jobs, DIALOGUE, { skip_diarization: true }), jobs);
    const { text } = await get(`${path}/transcript`, 'text/plain');
    const gap = jobs === LEGACY_JOBS ? ' ' : '    ';
    const time = jobs === LEGACY_JOBS ? '00:00' : '00:00:00';
    expect(text).toBe(`Speaker 0${gap}${time}${gap}W4 w7. W104 w108. W9.\n`);
  });

  test('of version 1 is JSON for the wildcard of all types, and requires the header', async () => {
    for (const [accept, type] of [
      ['*/*', JSON_TYPE],
      ['text/html, */*;q=0.8', JSON_TYPE],
      ['text/plain, */*', 'text/plain; charset=utf-8'],
    ] as const) {
      const { status, headers } = await get(`${job}/transcript`, accept);
      expect([accept, status, headers.get('content-type')]).toEqual([accept, 200, type]);
    }
    for (const transcript of [`${job}/transcript`, `${job.replace(SPEECH_JOBS, LEGACY_JOBS)}/transcript`]) {
      const { status, json } = await get(transcript, '');
      expect([status, json().allowed_values]).toEqual([406, ['text/plain', JSON_TYPE]]);
    }
  });

  test.each([SPEECH_JOBS, LEGACY_JOBS])('requires its media type to be named: %s', async jobs => {
    const path = `${job.replace(SPEECH_JOBS, jobs)}/transcript`;
    const wildcard = jobs === LEGACY_JOBS ? ['*/*'] : [];
    const others = ['text/*', 'application/json', 'text/plain;q=0', 'nonsense', 'x'.repeat(9000)];
    for (const accept of [...wildcard, ...others]) {
      const { status, json } = await get(path, accept);
      expect([status, json()]).toEqual([
        406,
        {
          status: 406,
          title: expect.any(String),
          type: `${service().url}/errors/speechtotext/unsupported-transcript-format`,
          allowed_values: ['text/plain', JSON_TYPE],
          current_value: accept.slice(0, 200),
          detail: expect.stringContaining(`'${accept.slice(0, 200)}'`),
        },
      ]);
    }
  });
});

describe('captions', () => {
  test('are SRT unless WebVTT is requested', async () => {
    const job = await done(postMedia(service(), SPEECH_JOBS, DIALOGUE), SPEECH_JOBS);
    for (const accept of [undefined, '*/*', 'application/x-subrip', 'text/vtt;q=0.5, application/*']) {
      const { status, text, headers } = await get(`${job}/captions`, accept);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/x-subrip']);
      expect(text).toMatch(/^1\n00:00:00,000 --> /);
    }
    for (const accept of [
      'text/vtt',
      'text/*',
      'application/x-subrip;q=0.1, text/vtt',
      'text/vtt; charset=utf-8',
      'text/vtt;charset="utf-8" ; q=0.5',
    ]) {
      const { text, headers } = await get(`${job}/captions`, accept);
      expect(headers.get('content-type')).toBe('text/vtt; charset=utf-8');
      expect(text).toMatch(/^WEBVTT\n/);
    }
    const { status, json } = await get(`${job}/captions`, 'text/plain');
    expect([status, json()]).toEqual([
      406,
      {
        status: 406,
        title: 'Output format is not supported',
        type: `${service().url}/errors/unsupported-output-format`,
        allowed_values: ['application/x-subrip', 'text/vtt'],
        current_value: 'text/plain',
        detail: expect.any(String),
      },
    ]);
  });

  test('show one channel when channels were transcribed separately', async () => {
    const planar = Float32Array.from([...scriptedSpeech([4, 7]), ...scriptedSpeech([8, 0])]);
    const frames = Int16Array.from(interleave(planar, 2));
    const media = wav(new Uint8Array(frames.buffer), { channels: 2 });
    const job = await done(
      postMedia(service(), SPEECH_JOBS, media, { speaker_channels_count: 2 }),
      SPEECH_JOBS,
    );
    const wordsOf = async (query: string) => (await get(`${job}/captions${query}`)).text.split('\n')[2];
    expect(await wordsOf('?speaker_channel=0')).toBe('W4 w7.');
    expect(await wordsOf('?speaker_channel=1')).toBe('W8.');
    const missing = await get(`${job}/captions`);
    expect([missing.status, missing.json()]).toEqual([
      405,
      {
        status: 405,
        title: 'Job contains unsupported properties',
        type: `${service().url}/errors/invalid-job-properties`,
        detail: expect.any(String),
      },
    ]);
    for (const channel of ['2', '8', '-1', 'one', '1.5']) {
      const { status, json } = await get(`${job}/captions?speaker_channel=${channel}`);
      expect([status, Object.keys(json().parameters)]).toEqual([400, ['speaker_channel']]);
    }
  });

  test('have no channels when these were mixed', async () => {
    const job = await done(postMedia(service(), SPEECH_JOBS), SPEECH_JOBS);
    expect((await get(`${job}/captions?speaker_channel=0`)).status).toBe(405);
    expect((await get(`${job}/captions?speaker_channel=`)).status).toBe(200);
  });
});

describe('a language', () => {
  test('comes with the others, and with the length of the media', async () => {
    const media = speechFile([1, 1, 2, 1, 0]);
    const job = await done(postMedia(service(), LANGUAGE_JOBS, media, { metadata: 'm' }), LANGUAGE_JOBS);
    expect((await get(job)).json()).toMatchObject({
      type: 'language_id',
      status: 'completed',
      name: 'speech.wav',
      metadata: 'm',
      duration_seconds: 0.5,
      processed_duration_seconds: expect.any(Number),
    });
    for (const accept of [undefined, '*/*', LANGUAGE_TYPE, 'application/json']) {
      const { status, json, headers } = await get(`${job}/result`, accept);
      expect(status).toBe(200);
      expect(headers.get('content-type')?.split(';')[0]).toBe(
        accept === 'application/json' ? accept : LANGUAGE_TYPE,
      );
      expect(json()).toEqual({
        top_language: 'en',
        language_confidences: [
          { language: 'en', confidence: expect.any(Number) },
          { language: 'de', confidence: expect.any(Number) },
        ],
      });
    }
    const { status, json } = await get(`${job}/result`, 'text/plain');
    expect([status, json().type]).toEqual([406, `${service().url}/errors/unsupported-output-format`]);
  });
});

describe('an alignment', () => {
  test('is a transcript', async () => {
    const options = { transcript_text: 'w4 w7 w8 w9' };
    const job = await done(postMedia(service(), ALIGNMENT_JOBS, undefined, options), ALIGNMENT_JOBS);
    const record = (await get(job)).json();
    expect(record).toMatchObject({ type: 'alignment', processed_duration_seconds: 0.6, language: 'en' });
    expect(record).not.toHaveProperty('transcript_text');
    const { json } = await get(`${job}/transcript`, JSON_TYPE);
    const [{ speaker, elements }] = json().monologues;
    const words = elements.filter(({ type }: { type: string }) => type === 'text');
    expect([speaker, words[0], words.at(-1)]).toEqual([
      0,
      { type: 'text', value: 'w4', ts: 0, end_ts: 0.1, confidence: expect.any(Number) },
      { type: 'text', value: 'w9', ts: 0.5, end_ts: 0.6, confidence: expect.any(Number) },
    ]);
    for (const accept of ['*/*', 'text/plain']) {
      const { status, json } = await get(`${job}/transcript`, accept);
      expect([status, json().allowed_values]).toEqual([406, [JSON_TYPE]]);
    }
  });
});

describe('a sentiment', () => {
  const TEXT = 'All is good. It is here. This is bad.';

  test('is given sentence by sentence, or for one kind only', async () => {
    const job = await done(postJson(service(), SENTIMENT_JOBS, { text: TEXT }), SENTIMENT_JOBS);
    const record = (await get(job)).json();
    expect(record).toMatchObject({ type: 'sentiment_analysis', word_count: 9, language: 'en' });
    expect(record).not.toHaveProperty('text');
    const { json, headers } = await get(`${job}/result`, SENTIMENT_TYPE);
    expect(headers.get('content-type')).toBe(SENTIMENT_TYPE);
    const messages = json().messages;
    expect(messages[0]).toEqual({
      content: 'All is good.',
      score: 0.4,
      sentiment: 'positive',
      offset: 0,
      length: 12,
    });
    const kinds = ['positive', 'neutral', 'negative'];
    for (const [index, kind] of kinds.entries()) {
      const only = await get(`${job}/result?filter_for=${kind}`);
      expect(only.json().messages).toEqual([messages[index]]);
    }
    expect((await get(`${job}/result?filter_for=`)).json().messages).toEqual(messages);
    const wrong = await get(`${job}/result?filter_for=angry`);
    expect([wrong.status, wrong.json().parameters]).toEqual([
      400,
      { filter_for: ['must be one of positive, neutral, negative'] },
    ]);
  });
});

describe('a job that is not done', () => {
  test('has no result yet, and is not deleted', async () => {
    const submitted = await postMedia(service(), SPEECH_JOBS, undefined, { transcriber: 'human' });
    const job = `${SPEECH_JOBS}/${submitted.json().id}`;
    expect(submitted.json()).toMatchObject({ type: 'human_tc', transcriber: 'human' });
    for (const result of ['transcript', 'captions']) {
      const { status, json } = await get(`${job}/${result}`, result === 'transcript' ? 'text/plain' : '*/*');
      expect([status, json()]).toEqual([
        409,
        {
          status: 409,
          title: expect.any(String),
          type: `${service().url}/errors/speechtotext/invalid-job-state`,
          allowed_values: ['transcribed'],
          current_value: 'in_progress',
          detail: expect.stringContaining(result),
        },
      ]);
    }
    const removed = await request(service(), job, { method: 'DELETE' });
    expect([removed.status, removed.json()]).toMatchObject([
      409,
      {
        allowed_values: ['transcribed', 'failed'],
        current_value: 'in_progress',
        detail: 'Job is in invalid state to be deleted',
      },
    ]);
  });

  test.each([
    [SPEECH_JOBS, 'transcript', 'transcribed'],
    [LEGACY_JOBS, 'transcript', 'transcribed'],
    [LANGUAGE_JOBS, 'result', 'completed'],
  ])('because it failed has none at all: %s', async (jobs, result, word) => {
    const { id } = (await postMedia(service(), jobs, new Uint8Array())).json();
    expect(await endOf(service(), `${jobs}/${id}`)).toMatchObject({
      status: 'failed',
      failure: 'empty_media',
    });
    const { status, json } = await get(
      `${jobs}/${id}/${result}`,
      result === 'transcript' ? 'text/plain' : undefined,
    );
    expect([status, json().allowed_values, json().current_value]).toEqual([409, [word], 'failed']);
  });
});
