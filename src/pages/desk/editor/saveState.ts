import type { DeskConflict, DeskTurn } from '../../../protocol/desk.ts';
import { CallError } from './calls.ts';

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
  /** Another window has saved a later text; `kept` are the turns of this browser that it may not have. */
  | { readonly type: 'conflict'; readonly kept: readonly DeskTurn[] }
  /** The job is finished, or has been deleted. */
  | { readonly type: 'ended' }
) & {
  /** False when unsent changes are not in the storage of the browser, as it is full. */
  readonly isStored: boolean;
};

/** A failure that another attempt does not change. */
export type Block = DeskConflict | { readonly status: number; readonly reason: string };

/** Statuses of answers that say to come back later. */
const MAY_BE_REPEATED = [408, 425, 429];

/** Returns the error for a block. */
export function errorOf(block: Block): CallError {
  if (typeof block !== 'string') return new CallError(block.reason, { status: block.status });
  return new CallError(`Saving: the draft cannot be changed: ${block}`, { status: 409, conflict: block });
}

/** Returns what the failure of a call means for the next ones; undefined when another attempt may succeed. */
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
    readonly kept: readonly DeskTurn[];
    readonly isStored: boolean;
  },
): SaveState {
  const { block, failure, kept, isStored } = saver;
  if (block === 'revision') return { type: 'conflict', kept, isStored };
  if (typeof block === 'string') return { type: block, isStored };
  if (block) return { type: 'refused', ...block, isStored };
  if (kept.length > 0) return { type: 'conflict', kept, isStored };
  if (failure) return { type: 'offline', reason: failure.message, isStored };
  return { type: isSending ? 'saving' : isEmpty ? 'saved' : 'unsent', isStored };
}
