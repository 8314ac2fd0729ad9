import { InvalidArgumentError } from '../base/errors.ts';
import { DEFAULT_ENGINE, MODEL_ROLES, type ModelRole } from '../base/models.ts';
import { namedOptions } from '../base/namedOptions.ts';
import type { Aligner } from './aligner.ts';
import { byLanguage } from './byLanguage.ts';
import type { Diarizer } from './diarizer.ts';
import type { LanguageIdentifier } from './languageIdentifier.ts';
import { engineOf, type ModelDirectory, takesVoiceDetector } from './models/modelDirectory.ts';
import type { Punctuator } from './punctuator.ts';
import type { Recognizer } from './recognizer.ts';
import { RECOGNIZER_ENGINES } from './recognizers.ts';
import type { SentimentAnalyzer } from './sentimentAnalyzer.ts';

/** The engines of a speech service. */
export interface Engines extends AsyncDisposable {
  readonly recognizer: Recognizer;
  readonly aligner: Aligner;
  readonly languageIdentifier: LanguageIdentifier;
  readonly sentimentAnalyzer: SentimentAnalyzer;
  readonly diarizer: Diarizer;
  readonly punctuator: Punctuator;
  /** Ends all processes and releases their memory. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Models that replace the engines that come with the package, by role. */
  readonly models?: Readonly<Partial<Record<ModelRole, ModelDirectory>>>;
  /** Models of further recognisers, for languages that the first one does not know. */
  readonly otherLanguages?: readonly ModelDirectory[];
  /** A recogniser in place of one by model; closed with the engines. */
  readonly recognizer?: Recognizer;
  /** Seconds of silence that end an utterance, 0.1 to 5. Default: the recogniser's own. */
  readonly pauseSeconds?: number;
  /** Limit of streams that the recogniser opens. Default: the recogniser's own. */
  readonly maxStreams?: number;
}

/**
 * Creates the engines of a service: by default those that need only npm packages, with the given models in
 * their place. Each engine loads on first use.
 *
 * @throws RxscribeError `engine-missing` when files of a model are missing or damaged; InvalidArgumentError
 *   when a model does not fit its role, or for a voice detector that the recogniser cannot use
 * @example
 * await using engines = await createEngines();
 * await using service = await createService({ ...engines, port: 0 });
 */
export async function createEngines(options: EngineOptions = {}): Promise<Engines> {
  namedOptions('EngineOptions', options);
  const { models = {} } = options;
  checkModels(models);
  const made: AsyncDisposable[] = [];
  async function kept<Engine extends AsyncDisposable>(making: Promise<Engine>): Promise<Engine> {
    const engine = await making;
    made.push(engine);
    return engine;
  }
  const close = () => closeAll(made);
  try {
    const recognizer = await kept(recognizerOf(options));
    return {
      recognizer,
      aligner: await kept(alignerOf(recognizer)),
      languageIdentifier: await kept(languageIdentifierOf(models.languageIdentifier, recognizer)),
      sentimentAnalyzer: await kept(sentimentAnalyzerOf()),
      diarizer: await kept(diarizerOf()),
      punctuator: await kept(punctuatorOf()),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function checkModels(models: NonNullable<EngineOptions['models']>): void {
  for (const role of MODEL_ROLES) {
    const model = models[role];
    if (model && !model.roles.includes(role)) {
      throw new InvalidArgumentError(
        `Model '${model.path}' of kind '${model.kind}' cannot serve as ${role}.`,
      );
    }
  }
  const { recognizer, voiceDetector } = models;
  if (voiceDetector && !takesVoiceDetector(recognizer)) {
    throw new InvalidArgumentError(
      `Recogniser '${recognizer?.kind ?? DEFAULT_ENGINE}' does not take a voice detector (offline models and whisper do).`,
    );
  }
}

async function recognizerOf(options: EngineOptions): Promise<Recognizer> {
  const { models = {}, otherLanguages = [], pauseSeconds, maxStreams: maxSessions } = options;
  const create = (model: ModelDirectory | undefined) => {
    const voiceModel = takesVoiceDetector(model) ? models.voiceDetector : undefined;
    return RECOGNIZER_ENGINES[engineOf(model)].create({ model, voiceModel, pauseSeconds, maxSessions });
  };
  return byLanguage([
    options.recognizer ?? (await create(models.recognizer)),
    ...(await Promise.all(otherLanguages.map(create))),
  ]);
}

async function alignerOf(recognizer: Recognizer): Promise<Aligner> {
  const { createAligner } = await import('./alignment/aligner.ts');
  const { languages, sampleRate } = recognizer.capabilities;
  return createAligner(languages.includes('en') && sampleRate === 16_000 ? { recognizer } : {});
}

async function languageIdentifierOf(
  model: ModelDirectory | undefined,
  recognizer: Recognizer,
): Promise<LanguageIdentifier> {
  if (model) {
    const { createWhisperIdentifier } = await import('./sherpa/whisperIdentifier.ts');
    return createWhisperIdentifier({ model });
  }
  if (recognizer.capabilities.findsLanguage) {
    const { createRecognizerIdentifier } = await import('./languages/heardLanguages.ts');
    return createRecognizerIdentifier(recognizer);
  }
  const { createWordLoopIdentifier } = await import('./languages/wordLoopIdentifier.ts');
  // Confidences were calibrated with this recogniser.
  return createWordLoopIdentifier(recognizer.name === 'moonshine' ? { recognizer } : {});
}

async function sentimentAnalyzerOf(): Promise<SentimentAnalyzer> {
  const { createVaderAnalyzer } = await import('./sentiment/vaderAnalyzer.ts');
  return createVaderAnalyzer();
}

async function diarizerOf(): Promise<Diarizer> {
  const { createDiarizer } = await import('./diarization/diarizer.ts');
  return createDiarizer();
}

async function punctuatorOf(): Promise<Punctuator> {
  const { createPunctuator } = await import('./text/punctuator.ts');
  return createPunctuator();
}

async function closeAll(engines: readonly AsyncDisposable[]): Promise<void> {
  const closed = await Promise.allSettled(engines.map(engine => engine[Symbol.asyncDispose]()));
  const failed = closed.find(each => each.status === 'rejected');
  if (failed) throw failed.reason;
}
