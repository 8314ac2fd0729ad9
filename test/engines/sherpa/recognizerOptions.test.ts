import { expect, it } from 'vitest';
import type { ModelDirectory, ModelKind } from '../../../src/engines/models/modelDirectory.ts';
import {
  createSherpaRecognizer,
  type SherpaRecognizerOptions,
} from '../../../src/engines/sherpa/recognizer.ts';

function model(kind: ModelKind): ModelDirectory {
  return { path: '/models/none', kind, roles: ['recognizer'], files: { tokens: '/models/none/tokens.txt' } };
}

function create(options: Partial<SherpaRecognizerOptions>) {
  return createSherpaRecognizer({ model: model('online-transducer'), ...options });
}

it.each([
  ...[0, 0.05, 6, -1, Number.NaN].map(pauseSeconds => ({ pauseSeconds })),
  ...[0, 1.5, Number.NaN].map(threads => ({ threads })),
  ...[0, -1, Number.NaN].map(maxSessions => ({ maxSessions })),
  ...[0, -1, Number.NaN, Infinity].map(hotwordsScore => ({ hotwordsScore })),
])('a recogniser of sherpa-onnx rejects %o', options => {
  const [name] = Object.keys(options);
  const failure = { code: 'invalid-argument', message: expect.stringContaining(name!) };
  expect(() => create(options)).toThrow(expect.objectContaining(failure));
});

it.each<ModelKind>([
  'online-nemo-ctc',
  'online-zipformer2-ctc',
  'online-paraformer',
  'online-nemo-transducer',
  'offline-nemo-ctc',
  'offline-sense-voice',
  'whisper',
])('a model of kind %s rejects a decoding method that would end its process', kind => {
  const failure = { code: 'invalid-argument', message: expect.stringContaining(kind) };
  const options = { model: model(kind), decodingMethod: 'modified_beam_search' } as const;
  expect(() => create(options)).toThrow(expect.objectContaining(failure));
});

it('a recogniser of sherpa-onnx accepts options at their limits', async () => {
  await create({ pauseSeconds: 0.1, threads: 1, maxSessions: 1, hotwordsScore: 0.01 }).close();
  await create({ pauseSeconds: 5, maxSessions: Infinity, decodingMethod: 'modified_beam_search' }).close();
});
