/**
 * The speech service, to run inside a program.
 *
 * @module
 */

import './base/serviceNode.ts';

// The service

export type { LogLevel } from './base/logLevel.ts';
export { createService, type Service } from './service/app.ts';
export {
  type AccountLimits,
  type GuessLimits,
  type HttpLimits,
  type JobLimits,
  LIMIT_DEFAULTS,
  type LimitChanges,
  type ServiceLimits,
  type StreamLimits,
} from './service/limits.ts';
export { SERVICE_DEFAULTS, type ServiceOptions } from './service/options.ts';
export type { RegionName } from './service/region.ts';

// Accounts

export {
  type Account,
  type Accounts,
  type Caller,
  type CreditMeter,
  INITIAL_BALANCE_SECONDS,
} from './service/accounts/accounts.ts';
export { createFixedAccount, type FixedAccountOptions } from './service/accounts/fixedAccount.ts';
export { createToken } from './service/accounts/tokens.ts';

// Included engines and models

export type { ModelRole } from './base/models.ts';
export { createEngines, type EngineOptions, type Engines } from './engines/engines.ts';
export { inspectModel } from './engines/models/inspectModel.ts';
export type { ModelDirectory, ModelKind } from './engines/models/modelDirectory.ts';
export { usedModels } from './engines/models/usedModels.ts';
export {
  createMoonshineRecognizer,
  MOONSHINE_RECOGNIZER_DEFAULTS,
  type MoonshineRecognizerOptions,
} from './engines/moonshine/recognizer.ts';
export {
  createSherpaRecognizer,
  SHERPA_RECOGNIZER_DEFAULTS,
  type SherpaRecognizerOptions,
} from './engines/sherpa/recognizer.ts';

// Interfaces of custom engines

export type { AlignedWord, Aligner, AlignOptions } from './engines/aligner.ts';
export type { DiarizeOptions, Diarizer, SpeakerTracker, SpeakerTurn } from './engines/diarizer.ts';
export type { LanguageConfidence, LanguageIdentifier } from './engines/languageIdentifier.ts';
export type { Punctuator, SpokenUtterance, SpokenWord, WrittenWord } from './engines/punctuator.ts';
export {
  type EngineWork,
  type PhraseFault,
  RECOGNIZER_SESSION_DEFAULTS,
  type RecognizedWord,
  type Recognizer,
  type RecognizerCapabilities,
  type RecognizerResult,
  type RecognizerSession,
  type RecognizerSessionOptions,
  type RecognizerUsage,
} from './engines/recognizer.ts';
export type { SentimentAnalyzer } from './engines/sentimentAnalyzer.ts';
