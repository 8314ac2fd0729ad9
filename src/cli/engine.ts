import type { Recognizer } from '../engines/recognizer.ts';

export interface EngineOptions {
  /** Default: where the system has it, else where `rxscribe doctor --fix` put it. */
  readonly modelDirectory?: string;
  /** Sessions that are made ready ahead of need, beyond the first. Default: the recogniser's own. */
  readonly spareDecoders?: number;
}

/** How each recogniser that `--engine` can name is made; loaded when it is wanted. */
const ENGINES = {
  async pocketsphinx(options: EngineOptions): Promise<Recognizer> {
    const { createPocketSphinxRecognizer } = await import('../engines/pocketsphinx/recognizer.ts');
    return createPocketSphinxRecognizer(options);
  },
} as const;

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];
export const DEFAULT_ENGINE: EngineName = 'pocketsphinx';

export function createRecognizer(name: EngineName, options: EngineOptions = {}): Promise<Recognizer> {
  return ENGINES[name](options);
}
