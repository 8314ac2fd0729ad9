import type { RecognizerResult } from '../recognizer.ts';
import type { PocketSphinxFiles } from './files.ts';

/** What the service's process says to a decoder's process. */
export type ToDecoder =
  | { readonly type: 'load'; readonly files: PocketSphinxFiles }
  | { readonly type: 'start'; readonly maxSegmentFrames: number; readonly twoPasses: boolean }
  | { readonly type: 'audio'; readonly samples: Int16Array }
  | { readonly type: 'finish' };

/** What a decoder's process says back. */
export type FromDecoder =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: RecognizerResult }
  /** One `audio` message is decoded. */
  | { readonly type: 'taken'; readonly frames: number }
  | { readonly type: 'finished' }
  /** The process ends after this. */
  | { readonly type: 'failed'; readonly message: string };
