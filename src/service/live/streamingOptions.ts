import type { Admit } from './admission.ts';
import type { BacklogShare } from './backlog.ts';
import type { RecognizerQueue } from './recognizerQueue.ts';
import type { StreamingOptions } from './streamingOptions.ts';

/** Dependencies of a session. */
export interface SessionContext extends StreamingOptions {
  readonly admit: Admit;
  readonly recognizers: RecognizerQueue;
  readonly backlogOf: (accountId: string) => BacklogShare;
}
