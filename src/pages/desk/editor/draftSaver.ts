import type { DeskDraftJson, DeskTurn } from '../../../protocol/desk.ts';
import type { DeskCalls } from './calls.ts';
import type { ChangedRange } from './changedTurns.ts';
import type { TranscriptEditor } from './transcriptEditor.ts';

/** Whether what was typed is saved. */
export type SaveState = (
  | { readonly type: 'saved' }
  /** Changes wait until typing pauses. */
  | { readonly type: 'unsent' }
  | { readonly type: 'saving' }
  /** The server cannot be reached, or cannot save; the saver tries again. */
  | { readonly type: 'offline'; readonly reason: string }
  /** The claim has lapsed: call {@link DraftSaver.resume} after a new one. */
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

export interface DraftSaverOptions {
  readonly jobId: string;
  readonly calls: Pick<DeskCalls, 'saveDraft' | 'readDraft'>;
  /** An editor of `draft.turns`. */
  readonly editor: Pick<TranscriptEditor, 'count' | 'turns' | 'replaceAll'> & {
    replaceTurns(from: number, to: number, turns: readonly DeskTurn[]): void;
  };
  readonly draft: DeskDraftJson;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  readonly onState: (state: SaveState) => void;
}

/** Saves the text of an editor while it is typed. Its first act is to restore what was not sent before. */
export interface DraftSaver {
  readonly state: SaveState;
  /** The revision that was saved last. */
  readonly revision: number;
  /** To be called with each change of the editor. */
  changed(change: ChangedRange): void;
  /** Resolves when all is saved; rejects with a `CallError` when it cannot be. */
  flush(): Promise<void>;
  /** Sends at once: after a new claim, or when the network is back. */
  resume(): void;
  /** Ends a conflict: this text replaces the saved one (kept turns are inserted), or the saved one replaces this text. */
  resolve(choice: 'ours' | 'theirs'): Promise<void>;
  close(): void;
}
