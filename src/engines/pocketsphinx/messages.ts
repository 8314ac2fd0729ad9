import type { FromSession, ToSession } from '../process/sessionMessages.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { PhraseVocabulary } from './phraseVocabulary.ts';

/** How a session is to be. */
export interface SessionStart {
  readonly maxSegmentFrames: number;
  /** Silence that ends an utterance. */
  readonly pauseSeconds: number;
  /** Utterances are heard when they have ended, and more accurately; there are no partials. */
  readonly whole: boolean;
  /** Of each final, at most. */
  readonly alternatives: number;
  /** What to favour; without it the decoder is as the model has it. */
  readonly vocabulary?: PhraseVocabulary;
}

/** What the service's process says to a decoder's process. */
export type ToDecoder =
  | { readonly type: 'load'; readonly files: PocketSphinxFiles }
  | ToSession<SessionStart>;

/** What a decoder's process says back. */
export type FromDecoder = FromSession;
