import { expect, test } from 'vitest';
import { createEngines, type EngineOptions } from '../../src/engines/engines.ts';
import type { ModelDirectory } from '../../src/engines/models/modelDirectory.ts';
import { errorLike } from '../helpers/errorLike.ts';

const SILERO: ModelDirectory = {
  path: '/models/silero',
  kind: 'silero-vad',
  roles: ['voiceDetector'],
  files: { model: '/models/silero/silero_vad.onnx' },
};

test('every capability has an engine that needs no model', async () => {
  await using engines = await createEngines();
  const names = [
    'recognizer',
    'aligner',
    'languageIdentifier',
    'diarizer',
    'punctuator',
    'sentimentAnalyzer',
  ];
  expect(engines).toMatchObject(Object.fromEntries(names.map(name => [name, { name: expect.any(String) }])));
});

test.each([
  [{ pauseSeconds: 9 }, "Option 'pauseSeconds' must be from 0.1 to 5, not 9."],
  [
    { models: { recognizer: SILERO } },
    "Model '/models/silero' of kind 'silero-vad' cannot serve as recognizer.",
  ],
  [{ models: { voiceDetector: SILERO } }, "Recogniser 'moonshine' does not take a voice detector"],
])('engines with %j are rejected', async (options, reason) => {
  await expect(createEngines(options as EngineOptions)).rejects.toMatchObject(
    errorLike('invalid-argument', reason),
  );
});

test('the recogniser opens as many streams as the limit says', async () => {
  await using engines = await createEngines({ maxStreams: 77 });
  expect(engines.recognizer.usage?.().maxStreams).toBe(77);
});

test('when one engine fails, none is left', async () => {
  const broken = {
    path: '/nowhere',
    kind: 'whisper',
    roles: ['languageIdentifier'],
    files: {},
  } as const;
  await expect(createEngines({ models: { languageIdentifier: broken } })).rejects.toMatchObject({
    code: 'engine-missing',
  });
});
