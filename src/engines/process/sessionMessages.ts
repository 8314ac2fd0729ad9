import type { RecognizerResult } from '../recognizer.ts';

/** What a session says to the process that recognises; `Start` says how the session is to be. */
export type ToSession<Start> =
  | ({ readonly type: 'start' } & Start)
  | { readonly type: 'audio'; readonly samples: Int16Array }
  | { readonly type: 'finish' };

/** What that process says back. */
export type FromSession =
  /** The session can be fed; what was sent before waits. */
  | { readonly type: 'started' }
  | { readonly type: 'result'; readonly result: RecognizerResult }
  /** One `audio` message is dealt with. */
  | { readonly type: 'taken'; readonly frames: number }
  | { readonly type: 'finished' };
