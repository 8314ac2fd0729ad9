import { describe, expect, test } from 'vitest';
import { ALIGNMENT_JOBS, LEGACY_JOBS, SENTIMENT_JOBS, SPEECH_JOBS } from '../../helpers/collections.ts';
import { keptService, postJson } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';

const SOURCE = { source_config: { url: 'http://127.0.0.1:9/talk.wav' } };

const without = keptService();

describe('an unsupported language', () => {
  const service = keptService(scriptedEngines());

  test.each<[string, object]>([
    [SPEECH_JOBS, SOURCE],
    [SPEECH_JOBS, { ...SOURCE, transcriber: 'human' }],
    [LEGACY_JOBS, { media_url: 'http://127.0.0.1:9/talk.wav' }],
    [ALIGNMENT_JOBS, { ...SOURCE, transcript_text: 'Hello' }],
    [SENTIMENT_JOBS, { text: 'Hello.' }],
  ])('is refused at submission: %s', async (path, body) => {
    const { status, json } = await postJson(service(), path, { ...body, language: 'tlh' });
    expect([status, json().parameters]).toEqual([
      400,
      { language: ['must be a language of this service (en), not tlh'] },
    ]);
    expect(json().parameter).toEqual(json().parameters);
    expect((await postJson(service(), path, { ...body, language: 'en-GB' })).status).toBe(200);
  });
});

test('jobs of an area without an engine fail, whatever their language', async () => {
  expect((await postJson(without(), SENTIMENT_JOBS, { text: 'Hello.', language: 'tlh' })).status).toBe(200);
});
