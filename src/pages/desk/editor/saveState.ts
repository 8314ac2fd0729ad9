import type { DeskConflict, DeskDraftJson, DeskTurn } from '../../../protocol/desk.ts';
import { CallError } from './calls.ts';
import type { TurnConflict } from './mergeTurns.ts';

/** State of saving; `saved` when all typed text is on the server. */
export type SaveState = (
  | { readonly type: 'saved' }
  /** Changes wait until typing pauses. */
  | { readonly type: 'unsent' }
  | { readonly type: 'saving' }
  /** The server cannot be reached, or cannot save; the saver tries again. */
  | { readonly type: 'offline'; readonly reason: string }
  /** The server does not accept the changes, as of a person who is logged out (401): call `resume()`. */
  | { readonly type: 'refused'; readonly status: number; readonly reason: string }
  /** The claim has lapsed: call `resume()` after a new one. */
  | { readonly type: 'lapsed' }
  /** Another person has claimed the job. */
  | { readonly type: 'claimed' }
  /** Another window, or another person, has saved a later text with other changes of the same turns. */
  | {
      readonly type: 'conflict';
      readonly conflicts: readonly TurnConflict[];
      /** The author of the later text, and the time of the save (ISO 8601). */
      readonly savedBy: string | undefined;
      readonly savedOn: string | undefined;
    }
  /** An earlier window of this browser has left turns that may be missing from the text. */
  | { readonly type: 'kept'; readonly kept: readonly DeskTurn[] }
  /** The job is finished, or has been deleted. */
  | { readonly type: 'ended' }
) & {
  /** False when unsent changes are not in the storage of the browser, as it is full. */
  readonly isStored: boolean;
};

/** A text that was saved later than this one. */
export interface LaterText {
  readonly theirs: DeskDraftJson;
  readonly conflicts: readonly TurnConflict[];
}

/** A failure that another attempt does not change. */
export type Block = DeskConflict | { readonly status: number; readonly reason: string };

/** Statuses after which the call may be repeated. */
const MAY_BE_REPEATED = [408, 425, 429];

/** Returns the error for a block. */
export function errorOf(block: Block): CallError {
  if (typeof block !== 'string') return new CallError(block.reason, { status: block.status });
  return new CallError(`Saving: the draft cannot be changed: ${block}`, { status: 409, conflict: block });
}

/** Returns the state after the failure of a call; undefined when another attempt may succeed. */
export function blockOf({ status, conflict, message }: CallError): Block | undefined {
  if (status < 400 || status >= 500 || MAY_BE_REPEATED.includes(status)) return undefined;
  return conflict ?? (status === 404 ? 'ended' : { status, reason: message });
}

/** Returns the state to be shown. */
export function saveStateOf(
  { isSending, isEmpty }: { readonly isSending: boolean; readonly isEmpty: boolean },
  saver: {
    readonly block: Block | undefined;
    readonly failure: CallError | undefined;
    readonly later: LaterText | undefined;
    readonly kept: readonly DeskTurn[];
    readonly isStored: boolean;
  },
): SaveState {
  const { block, failure, later, kept, isStored } = saver;
  if (block === 'revision' && later) {
    const { saved_by: savedBy, saved_on: savedOn } = later.theirs;
    return { type: 'conflict', conflicts: later.conflicts, savedBy, savedOn, isStored };
  }
  if (typeof block === 'string' && block !== 'revision') return { type: block, isStored };
  if (typeof block === 'object') return { type: 'refused', ...block, isStored };
  if (kept.length > 0) return { type: 'kept', kept, isStored };
  if (failure) return { type: 'offline', reason: failure.message, isStored };
  return { type: isSending ? 'saving' : isEmpty ? 'saved' : 'unsent', isStored };
}
