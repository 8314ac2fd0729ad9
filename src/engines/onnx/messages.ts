import type { WorkFailure } from '../process/workProcess.ts';

/** What the service's process says to a process with a model in it. */
export type ToInference<Setup, Request> =
  | { readonly type: 'load'; readonly setup: Setup }
  | { readonly type: 'run'; readonly id: number; readonly request: Request };

/** What a process with a model in it says back. */
export type FromInference<Answer> =
  | { readonly type: 'done'; readonly id: number; readonly answer: Answer }
  | ({ readonly type: 'refused'; readonly id: number } & Pick<WorkFailure, 'code' | 'message'>);
