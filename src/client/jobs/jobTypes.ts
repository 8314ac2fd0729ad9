import type {
  Account as AccountJson,
  Job as JobJson,
  LegacyJob as LegacyJobJson,
  StreamToken as StreamTokenJson,
  VocabularyRecord as VocabularyJson,
} from '../../protocol/jobs.ts';
import type {
  LanguageIdResult as LanguageIdJson,
  SentimentResult as SentimentJson,
  SentimentMessage as SentimentMessageJson,
} from '../../protocol/results.ts';
import type { Camel } from '../../protocol/wireNames.ts';

/** Types of the HTTP interface with camelCase names; see `protocol/` for the meaning of the fields. */

/** A job of speech-to-text, language identification, alignment or sentiment analysis. */
export type Job = Camel<JobJson>;
/** A job of the legacy interface. */
export type LegacyJob = Camel<LegacyJobJson>;
/** A custom vocabulary. */
export type VocabularyRecord = Camel<VocabularyJson>;
/** The account of a token. */
export type AccountBalance = Camel<AccountJson>;
/** A token that opens streams only. */
export type StreamToken = Camel<StreamTokenJson>;
export type LanguageIdResult = Camel<LanguageIdJson>;
export type SentimentResult = Camel<SentimentJson>;
export type SentimentMessage = Camel<SentimentMessageJson>;

/** The common fields of jobs and vocabularies. */
export type AnyJob = Pick<Job, 'id' | 'status' | 'failure' | 'failureDetail' | 'ignoredOptions' | 'warnings'>;
