import { expect, test } from 'vitest';
import { createEngines, type EngineOptions } from '../../src/engines/engines.ts';
import type { ModelDirectory } from '../../src/engines/models/modelDirectory.ts';

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
  [{ spareDecoders: 1 }, 'no option spareDecoders any more; recognizer.warm()'],
  [{ pauseSeconds: 9 }, 'pauseSeconds must be 0.1 to 5, found 9'],
  [{ models: { recognizer: SILERO } }, 'wanted a recognizer, found silero-vad in /models/silero'],
  [
    { models: { voiceDetector: SILERO } },
    'goes with a recogniser that hears whole utterances, found moonshine',
  ],
])('engines are refused with %j', async (options, reason) => {
  await expect(createEngines(options as EngineOptions)).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining(reason),
  });
});

test('where one engine cannot be made, none is left', async () => {
  const broken = {
    path: '/nowhere',
    kind: 'text-classification',
    roles: ['sentimentAnalyzer'],
    files: {},
  } as const;
  await expect(createEngines({ models: { sentimentAnalyzer: broken } })).rejects.toMatchObject({
    code: 'engine-missing',
  });
});
