import type {
  Account as AccountJson,
  Job as JobJson,
  LegacyJob as LegacyJobJson,
  VocabularyRecord as VocabularyJson,
} from '../../protocol/jobs.ts';
import type {
  LanguageIdResult as LanguageIdJson,
  SentimentResult as SentimentJson,
  SentimentMessage as SentimentMessageJson,
} from '../../protocol/results.ts';
import type { Camel } from '../../protocol/wireNames.ts';

/** What the HTTP interface gives, under the names of programs; `protocol/` says what each field means. */

/** A job of speech-to-text, language identification, alignment or sentiment analysis. */
export type Job = Camel<JobJson>;
/** A job of the legacy interface. */
export type LegacyJob = Camel<LegacyJobJson>;
/** A custom vocabulary. */
export type VocabularyRecord = Camel<VocabularyJson>;
/** The account that a token belongs to. */
export type AccountBalance = Camel<AccountJson>;
export type LanguageIdResult = Camel<LanguageIdJson>;
export type SentimentResult = Camel<SentimentJson>;
export type SentimentMessage = Camel<SentimentMessageJson>;

/** What anything that is worked on has, whatever its area. */
export type AnyJob = Pick<Job, 'id' | 'status' | 'failure' | 'failureDetail'>;
