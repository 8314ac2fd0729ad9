import type { TimedWord } from './pieceListener.ts';
import type { HeardWord } from './tokens.ts';

/** What the service's process says to an aligner's process. */
export type ToAlignment =
  | { readonly type: 'audio'; readonly samples: Int16Array }
  /** Last of all, and once: the text, and what was heard. */
  | {
      readonly type: 'align';
      readonly words: readonly string[];
      readonly utterances: readonly (readonly HeardWord[])[];
    };

/** What an aligner's process says back, once for each message to it. */
export type FromAlignment =
  /** It can be fed with more. */
  { readonly type: 'taken' } | { readonly type: 'found'; readonly words: readonly TimedWord[] };
