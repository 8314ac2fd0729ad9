import { type DraftStorage, parseStored, type Splice, writeStored } from './storedDraft.ts';

/** Steps that can be undone after a reload: changes of one revision each. */
const MAX_STEPS = 100;
const KEY = 'rxscribe-desk-past';

/**
 * The changes that lead back from the revisions that a tab has saved, so that undoing survives a reload. Only those of one job
 * are stored.
 */
export type StoredPast = ReturnType<typeof openPast>;

/** @param storage `sessionStorage` */
export function openPast(storage: DraftStorage, jobId: string) {
  const key = `${KEY}:${jobId}`;
  clearPast(storage, key);
  /** Returns the changes that lead back from a revision, oldest first; none when they are not known. */
  const read = (revision: number): readonly Splice[] => {
    const past = parseStored(storage.getItem(key) ?? '');
    if (past?.revision === revision) return past.splices;
    // The last change may have been sent, but not saved.
    return past?.revision === revision + 1 ? past.splices.slice(0, -1) : [];
  };
  return {
    read,
    /** Adds a change that leads back to a revision from the next one, which is not yet saved. */
    add(revision: number, back: Splice): void {
      const splices = [...read(revision), back].slice(-MAX_STEPS);
      if (!writeStored(storage, key, { revision: revision + 1, splices })) clearPast(storage);
    },
  };
}

/** Removes all stored changes, except those of one key. */
export function clearPast(storage: DraftStorage, kept?: string): void {
  for (let index = storage.length - 1; index >= 0; index--) {
    const key = storage.key(index)!;
    if (key.startsWith(KEY) && key !== kept) storage.removeItem(key);
  }
}
