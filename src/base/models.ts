import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Tasks that a model can perform. */
export const MODEL_ROLES = ['recognizer', 'languageIdentifier', 'voiceDetector'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/**
 * Recogniser engines by the value of `--engine`, with the kinds of models that each engine runs. Without a model, the first one
 * is used. `engines/recognizers.ts` creates them.
 */
export const RECOGNIZERS = {
  moonshine: ['moonshine'],
  'sherpa-onnx': [
    'online-transducer',
    'online-nemo-transducer',
    'online-paraformer',
    'online-zipformer2-ctc',
    'online-nemo-ctc',
    'offline-transducer',
    'offline-nemo-transducer',
    'offline-paraformer',
    'offline-nemo-ctc',
    'offline-zipformer-ctc',
    'offline-sense-voice',
    'offline-moonshine',
    'whisper',
  ],
} as const;
export type EngineName = keyof typeof RECOGNIZERS;
/** The engine, by its value of `--engine`, whose models are on a server elsewhere. */
export const REMOTE_ENGINE = 'openai';
export type EngineChoice = EngineName | typeof REMOTE_ENGINE;
export type RecognizerModelKind = (typeof RECOGNIZERS)[EngineName][number];
export const ENGINE_NAMES: readonly EngineName[] = Object.keys(RECOGNIZERS) as EngineName[];
export const [DEFAULT_ENGINE] = ENGINE_NAMES as [EngineName];

/** The default directory of models, with one subdirectory per model. */
export const MODELS_DIRECTORY = join(envPaths('rxscribe', { suffix: '' }).cache, 'models');

/** Returns the directory of models: the value of RXSCRIBE_MODELS, else {@link MODELS_DIRECTORY}. */
export function modelsDirectory(): string {
  return resolve(process.env.RXSCRIBE_MODELS || MODELS_DIRECTORY);
}
