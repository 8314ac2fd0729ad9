import type { DeskDraftJson, DeskTurn } from '../../../protocol/desk.ts';

/** The parts of `localStorage` that a saver needs. */
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
    .map(index => storage.key(index) ?? '')
    .filter(key => key.startsWith(`${PREFIX}${jobId}:`))
    .sort()
    .flatMap(key => {
      const draft = parsed(storage.getItem(key) ?? '');
      return draft ? [{ key, draft }] : [];
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

/** Returns whether two lists of turns are equal, whatever the order of their keys. */
export function areSame(turns: readonly DeskTurn[], others: readonly DeskTurn[]): boolean {
  const textOf = (list: readonly DeskTurn[]) =>
    JSON.stringify(list.map(({ speaker, text, words }) => [speaker, text, words]));
  return turns.length === others.length && textOf(turns) === textOf(others);
}

/** Unsent changes of earlier windows, as a new one finds them. */
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
function isSavedIn(
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

function parsed(text: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(text) as StoredDraft;
    const splices = [...draft.splices, ...(draft.sending ? [draft.sending] : [])];
    return Number.isInteger(draft.revision) && splices.every(isSplice) ? draft : undefined;
  } catch {
    return undefined;
  }
}

function isSplice({ from, to, turns }: Splice): boolean {
  const isPlace = Number.isInteger(from) && Number.isInteger(to) && from >= 0;
  return isPlace && turns.every(({ text, words }) => typeof text === 'string' && Array.isArray(words));
}
