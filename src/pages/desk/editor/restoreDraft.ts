import type { DeskDraftJson, DeskTurn } from '../../../protocol/desk.ts';
import { areSame, type DraftStorage, readStored, type Splice, spliced } from './storedDraft.ts';

/** What a window finds of earlier ones. */
export interface RestoredDraft {
  /** Changes to be made to the saved turns, from first to last. */
  readonly splices: readonly Splice[];
  /** Changes whose place is not known any more. */
  readonly kept: readonly Splice[];
  /** Keys of the storage, which are to be removed when the changes are stored again. */
  readonly keys: readonly string[];
  readonly keptKeys: readonly string[];
}

/** Reads the changes that earlier windows have stored and that are not in the saved draft. */
export function restoreDraft(storage: DraftStorage, jobId: string, draft: DeskDraftJson): RestoredDraft {
  const keys: string[] = [];
  const keptKeys: string[] = [];
  const kept: Splice[] = [];
  let splices: readonly Splice[] = [];
  for (const { key, draft: stored } of readStored(storage, jobId)) {
    const sending = stored.sending ? [stored.sending] : [];
    const all = [...sending, ...stored.splices];
    const isSaved = stored.sending !== undefined && isSavedIn(draft, { ...stored, sending: stored.sending });
    const rest = isSaved ? stored.splices : stored.revision === draft.revision ? all : undefined;
    if (all.length === 0 || rest?.length === 0) keys.push(key);
    // A second window has changed the same text: its turns have no place in that of the first.
    else if (rest && splices.length === 0 && spliced(draft.turns, rest)) {
      splices = rest;
      keys.push(key);
    } else {
      kept.push(...all);
      keptKeys.push(key);
    }
  }
  return { splices, kept, keys, keptKeys };
}

/** Returns whether a draft is what a change of a revision has made, so far as the change says. */
export function isSavedIn(
  draft: DeskDraftJson,
  { revision, sending }: { revision: number; sending: Splice & { count: number } },
): boolean {
  const { from, turns, count } = sending;
  return (
    draft.revision === revision + 1 &&
    draft.turns.length === count &&
    areSame(draft.turns.slice(from, from + turns.length), turns)
  );
}

/** Returns the turns of changes. */
export function turnsOfSplices(splices: readonly Splice[]): DeskTurn[] {
  return splices.flatMap(({ turns }) => turns);
}
