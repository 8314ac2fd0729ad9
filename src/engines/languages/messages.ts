import type { PocketSphinxFiles } from '../pocketsphinx/files.ts';

/** What the service's process asks of the process that compares languages; it answers once. */
export interface ToLanguageChild {
  readonly files: PocketSphinxFiles;
  /** All speech, mono at 16 kHz. */
  readonly samples: Int16Array;
}

/** The answer. */
export interface LanguageScores {
  readonly type: 'scores';
  /** By language. */
  readonly scores: Readonly<Record<string, number>>;
}
