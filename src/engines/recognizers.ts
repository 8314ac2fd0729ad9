import { InvalidArgumentError } from '../base/errors.ts';
import type { EngineName } from '../base/models.ts';
import type { ModelDirectory } from './models/modelDirectory.ts';
import {
  huggingFaceMoonshineRule,
  type ModelRule,
  moonshineRule,
  onlineParaformerRule,
  singleModelRule,
  transducerRule,
  whisperRule,
} from './models/modelRules.ts';
import type { Recognizer } from './recognizer.ts';

export interface RecognizerOptions {
  /** Model of one of the engine's kinds. Default: the engine's own, if it has one. */
  readonly model?: ModelDirectory;
  /** Model that finds utterances, for kinds that need one. */
  readonly voiceModel?: ModelDirectory;
  readonly pauseSeconds?: number;
  readonly maxSessions?: number;
}

interface RecognizerEngine {
  /** Rules that identify its models, in order of precedence. */
  readonly rules: readonly ModelRule[];
  /** Loads the code of the engine and creates a recogniser. */
  create(options: RecognizerOptions): Promise<Recognizer>;
}

/**
 * Recogniser engines. To add one, declare its name and its kinds of models in `base/models.ts`, and create it here; flags,
 * checks and help follow.
 */
export const RECOGNIZER_ENGINES: Readonly<Record<EngineName, RecognizerEngine>> = {
  moonshine: {
    rules: [huggingFaceMoonshineRule],
    async create({ model, pauseSeconds, maxSessions }) {
      const { createMoonshineRecognizer } = await import('./moonshine/recognizer.ts');
      return createMoonshineRecognizer({ model, pauseSeconds, maxSessions });
    },
  },
  'sherpa-onnx': {
    rules: [transducerRule, moonshineRule, whisperRule, onlineParaformerRule, singleModelRule],
    async create({ model, voiceModel, pauseSeconds, maxSessions }) {
      if (!model) throw new InvalidArgumentError('A recogniser of sherpa-onnx requires a model.');
      const { createSherpaRecognizer } = await import('./sherpa/recognizer.ts');
      return createSherpaRecognizer({ model, voiceModel, pauseSeconds, maxSessions });
    },
  },
};
