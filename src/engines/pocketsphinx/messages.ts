import type { RecognizerResult } from '../recognizer.ts';
import type { PocketSphinxFiles } from './files.ts';
import type { PhraseVocabulary } from './phraseVocabulary.ts';

/** How a session is to be. */
export interface SessionStart {
  readonly maxSegmentFrames: number;
  /** Silence that ends an utterance. */
  readonly pauseSeconds: number;
  readonly twoPasses: boolean;
  /** What to favour; without it the decoder is as the model has it. */
  readonly vocabulary?: PhraseVocabulary;
}

/** What the service's process says to a decoder's process. */
export type ToDecoder =
  | { readonly type: 'load'; readonly files: PocketSphinxFiles }
  | ({ readonly type: 'start' } & SessionStart)
  | { readonly type: 'audio'; readonly samples: Int16Array }
  | { readonly type: 'finish' };

/** What a decoder's process says back. */
export type FromDecoder =
  | { readonly type: 'ready' }
  /** The session can be fed; what was sent before waits. */
  | { readonly type: 'started' }
  | { readonly type: 'result'; readonly result: RecognizerResult }
  /** One `audio` message is decoded. */
  | { readonly type: 'taken'; readonly frames: number }
  | { readonly type: 'finished' };
