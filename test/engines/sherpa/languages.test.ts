import { expect, test } from 'vitest';
import type { ModelKind } from '../../../src/engines/models/modelDirectory.ts';
import { languagesOf } from '../../../src/engines/sherpa/languages.ts';

function languages(name: string, kind: ModelKind, files: Readonly<Record<string, string>> = {}) {
  return languagesOf({ path: `/models/${name}`, kind, roles: ['recognizer'], files });
}

test.each([
  ['streaming-zipformer-en-20M-2023-02-17', 'online-transducer', ['en']],
  ['sherpa-onnx-streaming-zipformer-fr-2023-04-14', 'online-transducer', ['fr']],
  ['sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20', 'online-transducer', ['zh', 'en']],
  ['sherpa-onnx-nemo-parakeet-tdt-0.6b-v2', 'offline-nemo-transducer', ['en']],
  ['sherpa-onnx-sense-voice', 'offline-sense-voice', ['zh', 'en', 'ja', 'ko']],
  ['my-model', 'online-nemo-ctc', ['en']],
] as const)('the languages of %s', (name, kind, expected) => {
  expect(languages(name, kind)).toEqual(expected);
});

test('a model of the catalogue has those that it says', () => {
  expect(languages('parakeet-tdt-0.6b-v3', 'offline-nemo-transducer')).toHaveLength(25);
});

test('of Whisper, the files tell whether it knows more than English', () => {
  expect(languages('w', 'whisper', { encoder: '/models/w/tiny.en-encoder.onnx' })).toEqual(['en']);
  expect(languages('w', 'whisper', { encoder: '/models/w/tiny-encoder.onnx' })).toContain('de');
});
