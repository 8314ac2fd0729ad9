import { describe, expect, test } from 'vitest';
import { ALIGNMENT_JOBS, LEGACY_JOBS, SENTIMENT_JOBS, SPEECH_JOBS } from '../../helpers/collections.ts';
import { keptService, postJson } from '../../helpers/keptService.ts';
import { scriptedEngines } from '../../helpers/scriptedEngines.ts';

const SOURCE = { source_config: { url: 'http://127.0.0.1:9/talk.wav' } };

const without = keptService();

describe('an unsupported language', () => {
  const service = keptService(scriptedEngines());

  const recognized = 'en; others by --model or --engine';

  test.each<[string, object, string]>([
    [SPEECH_JOBS, SOURCE, recognized],
    [SPEECH_JOBS, { ...SOURCE, transcriber: 'human' }, recognized],
    [LEGACY_JOBS, { media_url: 'http://127.0.0.1:9/talk.wav' }, recognized],
    [ALIGNMENT_JOBS, { ...SOURCE, transcript_text: 'Hello' }, 'en'],
    [SENTIMENT_JOBS, { text: 'Hello.' }, 'en'],
  ])('is refused at submission: %s', async (path, body, known) => {
    const { status, json } = await postJson(service(), path, { ...body, language: 'tlh' });
    expect([status, json().parameters]).toEqual([
      400,
      { language: [`must be a language of this service (${known}), not tlh`] },
    ]);
    expect(json().parameter).toEqual(json().parameters);
    expect((await postJson(service(), path, { ...body, language: 'en-GB' })).status).toBe(200);
  });
});

test('jobs of an area without an engine fail, whatever their language', async () => {
  expect((await postJson(without(), SENTIMENT_JOBS, { text: 'Hello.', language: 'tlh' })).status).toBe(200);
});
