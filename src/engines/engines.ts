import type { Recognizer } from './recognizer.ts';
import type { SentimentAnalyzer } from './sentimentAnalyzer.ts';

/** What a service understands speech and text by. */
export interface Engines extends AsyncDisposable {
  readonly recognizer: Recognizer;
  readonly sentimentAnalyzer: SentimentAnalyzer;
  /** Gives back all processes and memory. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Of the recogniser. Default: where the system has it, else where `rxscribe doctor --fix` put it. */
  readonly modelDirectory?: string;
  /** Sessions of the recogniser that are made ready ahead of need, beyond the first. Default: its own. */
  readonly spareDecoders?: number;
}

/**
 * The engines that need nothing but npm and the system's packages. Each loads what it needs when it is first used.
 *
 * @example
 * await using engines = await createEngines();
 * await using service = await createService({ ...engines, port: 0 });
 */
export async function createEngines(options: EngineOptions = {}): Promise<Engines> {
  const [{ createPocketSphinxRecognizer }, { createVaderAnalyzer }] = await Promise.all([
    import('./pocketsphinx/recognizer.ts'),
    import('./sentiment/vaderAnalyzer.ts'),
  ]);
  const engines = {
    recognizer: createPocketSphinxRecognizer(options),
    sentimentAnalyzer: createVaderAnalyzer(),
  };
  const close = async () => {
    await Promise.all(Object.values(engines).map(engine => engine.close()));
  };
  return { ...engines, close, [Symbol.asyncDispose]: close };
}
