import type { HeardTextWord } from './heardRuns.ts';

/** What the service's process says to an aligner's process. */
export type ToAlignment =
  /** First of all, and once. */
  | { readonly type: 'start'; readonly words: readonly string[] }
  | { readonly type: 'audio'; readonly samples: Int16Array }
  | { readonly type: 'finish' };

/** What an aligner's process says back, once for each message to it. */
export type FromAlignment =
  /** It can be fed with more. */
  { readonly type: 'taken' } | { readonly type: 'found'; readonly words: readonly HeardTextWord[] };
