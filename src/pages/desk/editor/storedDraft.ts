import type { DeskTurn } from '../../../protocol/desk.ts';

/** What a saver needs of `localStorage`. */
export interface DraftStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Turns that replace those from index `from` up to `to` (exclusive). */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly turns: readonly DeskTurn[];
}

/** Changes that may not be on the server. */
export interface StoredDraft {
  /** The revision that they change. */
  readonly revision: number;
  /** The change that was sent, of which no answer has come, and the number of turns after it. */
  readonly sending?: Splice & { readonly count: number };
  /** Changes after that one, from first to last. */
  readonly splices: readonly Splice[];
}

const PREFIX = 'rxscribe-desk-unsent:';

/** Returns a new key for the changes of a window. */
export function newDraftKey(jobId: string): string {
  return `${PREFIX}${jobId}:${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

/** Returns the stored changes of a job, of all windows, oldest first. */
export function readStored(storage: DraftStorage, jobId: string): { key: string; draft: StoredDraft }[] {
  return [...Array(storage.length).keys()]
    .map(index => storage.key(index))
    .filter(key => key?.startsWith(`${PREFIX}${jobId}:`) === true)
    .sort()
    .flatMap(key => {
      const draft = parsed(storage.getItem(key!) ?? '');
      return draft ? [{ key: key!, draft }] : [];
    });
}

/** Stores changes, or removes them when there are none. Returns false when the storage is full or switched off. */
export function writeStored(storage: DraftStorage, key: string, draft: StoredDraft | undefined): boolean {
  try {
    if (draft) storage.setItem(key, JSON.stringify(draft));
    else storage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** Returns turns after changes; undefined when a change is not of these turns. */
export function spliced(turns: readonly DeskTurn[], splices: readonly Splice[]): DeskTurn[] | undefined {
  const changed = [...turns];
  for (const { from, to, turns: put } of splices) {
    if (from > to || to > changed.length) return undefined;
    changed.splice(from, to - from, ...put);
  }
  return changed;
}

/** Returns whether two lists of turns are equal. */
export function areSame(turns: readonly DeskTurn[], others: readonly DeskTurn[]): boolean {
  return (
    turns.length === others.length &&
    turns.every(({ speaker, text, words }, index) => {
      const other = others[index]!;
      return (
        speaker === other.speaker &&
        text === other.text &&
        words.length === other.words.length &&
        words.every((word, at) => String(word) === String(other.words[at]))
      );
    })
  );
}

function parsed(text: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(text) as StoredDraft;
    return Number.isInteger(draft.revision) && Array.isArray(draft.splices) ? draft : undefined;
  } catch {
    return undefined;
  }
}
