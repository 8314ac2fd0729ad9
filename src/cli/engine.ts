import { createPocketSphinxRecognizer } from '../engines/pocketsphinx/recognizer.ts';
import type { Recognizer } from '../engines/recognizer.ts';

/** How each recogniser that `--engine` can name is made. */
const ENGINES = {
  pocketsphinx: createPocketSphinxRecognizer,
} as const satisfies Record<string, (options: EngineOptions) => Recognizer>;

export type EngineName = keyof typeof ENGINES;

export interface EngineOptions {
  /** Default: where the system has it, else where `rxscribe doctor --fix` put it. */
  readonly modelDirectory?: string;
}

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];

export function createRecognizer(name: EngineName, options: EngineOptions = {}): Recognizer {
  return ENGINES[name](options);
}
