import type { DeskChange, DeskConflict, DeskDraftJson, DeskSavedJson } from '../../../protocol/desk.ts';

/** A call that failed. */
export class CallError extends Error {
  /** Status of the answer; 0 without an answer, when the call may have been performed. */
  readonly status: number;
  /** `current_value` of an answer of status 409. */
  readonly conflict: DeskConflict | undefined;

  constructor(message: string, options: { status: number; conflict?: DeskConflict; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'CallError';
    this.status = options.status;
    this.conflict = options.conflict;
  }
}

export function callErrorOf(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError(String(error), { status: 0, cause: error });
}

/** Calls that save a draft. All reject with a {@link CallError}, also at a timeout. */
export interface DraftCalls {
  saveDraft(jobId: string, change: DeskChange): Promise<DeskSavedJson>;
  readDraft(jobId: string): Promise<DeskDraftJson>;
}
