import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Tasks that a model can perform. */
export const MODEL_ROLES = [
  'recognizer',
  'languageIdentifier',
  'diarizer',
  'punctuator',
  'sentimentAnalyzer',
  'voiceDetector',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** The default directory of models, with one subdirectory per model. */
export const MODELS_DIRECTORY = join(envPaths('rxscribe', { suffix: '' }).cache, 'models');

/** Returns the directory of models: the value of RXSCRIBE_MODELS, else {@link MODELS_DIRECTORY}. */
export function modelsDirectory(): string {
  return resolve(process.env.RXSCRIBE_MODELS || MODELS_DIRECTORY);
}
