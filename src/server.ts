/**
 * The speech service, to run inside a program.
 *
 * @module
 */

import './base/serviceNode.ts';

// The service

export { createService, type Service } from './service/app.ts';
export type { AccountLimits } from './service/limits.ts';
export type { ServiceOptions } from './service/options.ts';

// Accounts

export type { Account, Accounts, Caller, CreditMeter } from './service/accounts/accounts.ts';
export { createFixedAccount } from './service/accounts/fixedAccount.ts';
export { createToken } from './service/accounts/tokens.ts';

// Included engines and models

export type { ModelRole } from './base/models.ts';
export { createEngines, type EngineOptions, type Engines } from './engines/engines.ts';
export { inspectModel } from './engines/models/inspectModel.ts';
export type { ModelDirectory, ModelKind } from './engines/models/modelDirectory.ts';
export { usedModels } from './engines/models/usedModels.ts';
export {
  createMoonshineRecognizer,
  type MoonshineRecognizerOptions,
} from './engines/moonshine/recognizer.ts';
export { createOpenAiRecognizer, type OpenAiRecognizerOptions } from './engines/openai/recognizer.ts';
export { createSherpaRecognizer, type SherpaRecognizerOptions } from './engines/sherpa/recognizer.ts';

// Interfaces of custom engines

export type { AlignedWord, Aligner } from './engines/aligner.ts';
export type { Diarizer, SpeakerTracker, SpeakerTurn } from './engines/diarizer.ts';
export type { LanguageConfidence, LanguageIdentifier } from './engines/languageIdentifier.ts';
export type { Punctuator, SpokenUtterance, SpokenWord, WrittenWord } from './engines/punctuator.ts';
export type {
  PhraseFault,
  RecognizedWord,
  Recognizer,
  RecognizerCapabilities,
  RecognizerResult,
  RecognizerSession,
  RecognizerSessionOptions,
  RecognizerUsage,
} from './engines/recognizer.ts';
export type { SentimentAnalyzer } from './engines/sentimentAnalyzer.ts';
export { streamed, type WholeUtterance } from './engines/streamed.ts';
export { createVoiceDetector } from './engines/voice/voiceDetector.ts';
