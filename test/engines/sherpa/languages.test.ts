import { expect, test } from 'vitest';
import type { ModelKind } from '../../../src/engines/models/modelDirectory.ts';
import { languagesOf } from '../../../src/engines/sherpa/languages.ts';
import { recognizerTask } from '../../../src/engines/sherpa/nativeConfig.ts';
import { SHERPA_RECOGNIZER_DEFAULTS } from '../../../src/engines/sherpa/recognizer.ts';

function languages(name: string, kind: ModelKind, files: Readonly<Record<string, string>> = {}) {
  return languagesOf({ path: `/models/${name}`, kind, roles: ['recognizer'], files });
}

test.each([
  ['streaming-zipformer-en-20M-2023-02-17', 'online-transducer', ['en']],
  ['sherpa-onnx-streaming-zipformer-fr-2023-04-14', 'online-transducer', ['fr']],
  ['sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20', 'online-transducer', ['zh', 'en']],
  ['sherpa-onnx-nemo-parakeet-tdt-0.6b-v2', 'offline-nemo-transducer', ['en']],
  ['sherpa-onnx-nemo-ctc-giga-am-russian-2024-10-24', 'offline-nemo-ctc', ['ru']],
  ['sherpa-onnx-nemo-transducer-giga-am-v2-russian-2025-04-19', 'offline-nemo-transducer', ['ru']],
  ['sherpa-onnx-streaming-zipformer-korean-2024-06-16', 'online-transducer', ['ko']],
  ['sherpa-onnx-zipformer-thai-2024-06-20', 'offline-transducer', ['th']],
  ['sherpa-onnx-zipformer-cantonese-2024-03-13', 'offline-transducer', ['zh']],
  ['sherpa-onnx-zipformer-ja-en-reazonspeech-2025-01-17', 'offline-transducer', ['ja', 'en']],
  ['sherpa-onnx-sense-voice', 'offline-sense-voice', ['zh', 'en', 'ja', 'ko']],
  ['my-model', 'online-nemo-ctc', ['en']],
] as const)('the languages of %s', (name, kind, expected) => {
  expect(languages(name, kind)).toEqual(expected);
});

test('are those of the catalogue for its models', () => {
  expect(languages('parakeet-tdt-0.6b-v3', 'offline-nemo-transducer')).toHaveLength(25);
});

test('of Whisper depend on its files', () => {
  expect(languages('w', 'whisper', { encoder: '/models/w/tiny.en-encoder.onnx' })).toEqual(['en']);
  expect(languages('w', 'whisper', { encoder: '/models/w/tiny-encoder.onnx' })).toContain('de');
});

test('Javanese has its ISO 639-1 code, and another one in Whisper', () => {
  const files = { encoder: '/models/w/tiny-encoder.onnx', decoder: '', tokens: '' };
  for (const name of ['w', 'whisper-tiny']) {
    expect(languages(name, 'whisper', files)).toContain('jv');
    expect(languages(name, 'whisper', files)).not.toContain('jw');
  }
  const { threads, pauseSeconds, hotwordsScore } = SHERPA_RECOGNIZER_DEFAULTS;
  const { config } = recognizerTask(
    { path: '/models/w', kind: 'whisper', roles: ['recognizer'], files },
    { threads, pauseSeconds, hotwordsScore, decodingMethod: 'greedy_search', language: 'jv' },
  ) as { readonly config: object };
  expect(config).toMatchObject({ modelConfig: { whisper: { language: 'jw' } } });
});
