import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Uses that a model can have. */
export const MODEL_ROLES = [
  'recognizer',
  'languageIdentifier',
  'diarizer',
  'punctuator',
  'sentimentAnalyzer',
  'voiceDetector',
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** The directory of models unless another one is given; each has a directory of its name in it. */
export const MODELS_DIRECTORY = join(envPaths('rxscribe', { suffix: '' }).cache, 'models');

/** Returns where models are kept for the user: the directory that RXSCRIBE_MODELS names, else {@link MODELS_DIRECTORY}. */
export function modelsDirectory(): string {
  return resolve(process.env.RXSCRIBE_MODELS || MODELS_DIRECTORY);
}
