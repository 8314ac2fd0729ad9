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

/** The engines of a service. Jobs that need one which is not there fail, and say so. */
export interface TaskEngines {
  readonly recognizer: Recognizer;
  readonly aligner?: Aligner;
  readonly languageIdentifier?: LanguageIdentifier;
  readonly sentimentAnalyzer?: SentimentAnalyzer;
  /** Without one, all that is said has one speaker. */
  readonly diarizer?: Diarizer;
  /** Default: the embedded one, for English. */
  readonly punctuator?: Punctuator;
}

/** What tasks stand on. */
export interface TaskOptions extends TaskEngines {
  /** Judges where media and texts are fetched from. */
  readonly guard: AddressGuard;
  readonly limits: JobLimits;
  readonly phrasesOf: PhrasesOf;
  readonly clock: Clock;
  /** Told of what users are told in short: engines that failed or are missing. */
  readonly onError: (error: unknown) => void;
}
