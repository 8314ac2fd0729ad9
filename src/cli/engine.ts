import type { EngineOptions, Engines } from '../engines/engines.ts';

/** How the engines around each recogniser that `--engine` can name are made; loaded when they are wanted. */
const ENGINES = {
  async pocketsphinx(options: EngineOptions): Promise<Engines> {
    const { createEngines } = await import('../engines/engines.ts');
    return createEngines(options);
  },
} as const;

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];
export const DEFAULT_ENGINE: EngineName = 'pocketsphinx';

export function enginesNamed(name: EngineName, options: EngineOptions = {}): Promise<Engines> {
  return ENGINES[name](options);
}
