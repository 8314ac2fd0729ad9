import type { Clock } from '../../base/clock.ts';
import type { Aligner } from '../../engines/aligner.ts';
import type { Diarizer } from '../../engines/diarizer.ts';
import type { LanguageIdentifier } from '../../engines/languageIdentifier.ts';
import type { Punctuator } from '../../engines/punctuator.ts';
import type { Recognizer } from '../../engines/recognizer.ts';
import type { SentimentAnalyzer } from '../../engines/sentimentAnalyzer.ts';
import type { JobLimits } from '../limits.ts';
import type { AddressGuard } from '../outbound/addressGuard.ts';
import type { PhrasesOf } from '../vocabularies.ts';

/** The engines of a service. The caller closes them after the service. */
export interface TaskEngines {
  readonly recognizer: Recognizer;
  /** Default: jobs of forced alignment fail. */
  readonly aligner?: Aligner;
  /** Default: jobs of language identification fail. */
  readonly languageIdentifier?: LanguageIdentifier;
  /** Default: jobs of sentiment analysis fail. */
  readonly sentimentAnalyzer?: SentimentAnalyzer;
  /** Default: all speech has one speaker. */
  readonly diarizer?: Diarizer;
  /** Default: `createPunctuator()`, which is part of the package and supports English. */
  readonly punctuator?: Punctuator;
}

/** Dependencies of tasks. */
export interface TaskOptions extends TaskEngines {
  /** Checks the addresses of media and texts. */
  readonly guard: AddressGuard;
  readonly limits: JobLimits;
  readonly phrasesOf: PhrasesOf;
  readonly clock: Clock;
  /** Called with errors that users see in short: engines that failed or are missing. */
  readonly onError: (error: unknown) => void;
}
