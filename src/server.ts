/** The speech service, to run inside a program: `rxscribe/server`. */

export {
  createPocketSphinxRecognizer,
  DEFAULT_POCKETSPHINX_OPTIONS,
  type PocketSphinxOptions,
} from './engines/pocketsphinx/recognizer.ts';
export type {
  RecognizedWord,
  Recognizer,
  RecognizerCapabilities,
  RecognizerResult,
  RecognizerSession,
  RecognizerSessionOptions,
} from './engines/recognizer.ts';
export {
  type Account,
  type Accounts,
  type CreditMeter,
  INITIAL_BALANCE_SECONDS,
} from './service/accounts.ts';
export { createService, type Service } from './service/app.ts';
export { createFixedAccount, type FixedAccountOptions } from './service/fixedAccount.ts';
export { DEFAULT_LIMITS, type HttpLimits, type ServiceLimits, type StreamLimits } from './service/limits.ts';
export type { LogLevel } from './service/logLevel.ts';
export { DEFAULT_SERVICE_OPTIONS, type ServiceOptions } from './service/options.ts';
export type { RegionName } from './service/region.ts';
export { createToken } from './service/tokens.ts';
