import type { DeskDraftJson, DeskSpeakerNames, DeskTurn } from '../../../protocol/desk.ts';
import { addChange, type ChangedRange } from './changedTurns.ts';

/** The parts of `localStorage` that a saver needs. */
export type DraftStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** Turns that replace those from index `from` up to `to` (exclusive). */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly turns: readonly DeskTurn[];
  /** Names of the speakers after it. */
  readonly speaker_names?: DeskSpeakerNames | undefined;
}

/** Returns the change that leads back to a draft from the one after a change. */
export function inverseOf({ from, to, turns }: Splice, draft: DeskDraftJson): Splice {
  const { turns: before, speaker_names = [] } = draft;
  return { from, to: from + turns.length, turns: before.slice(from, to), speaker_names };
}

/** Changes that may not be on the server. */
export interface StoredDraft {
  /** The revision that the changes are based on. */
  readonly revision: number;
  /** Changes from first to last. */
  readonly splices: readonly Splice[];
  /** Number of turns after the first change, if that change was sent and not yet answered. */
  readonly count?: number;
}

const PREFIX = 'rxscribe-desk-unsent:';

/** Returns a new key for the changes of a window. */
export function newDraftKey(jobId: string): string {
  return `${PREFIX}${jobId}:${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

/** Returns the stored changes of a job, of all windows, oldest first. */
function readStored(storage: DraftStorage, jobId: string): { key: string; draft: StoredDraft }[] {
  return [...Array(storage.length).keys()]
    .map(index => storage.key(index) ?? '')
    .filter(key => key.startsWith(`${PREFIX}${jobId}:`))
    .sort()
    .flatMap(key => {
      const draft = parseStored(storage.getItem(key) ?? '');
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

/** Turns after changes, and the range in which they differ. */
interface ChangedTurns {
  readonly turns: readonly DeskTurn[];
  readonly changed: ChangedRange | undefined;
  readonly names: DeskSpeakerNames;
}

/** Returns a draft after changes; undefined when a change is not of these turns. */
function spliced(before: DeskDraftJson, splices: readonly Splice[]): ChangedTurns | undefined {
  const turns = [...before.turns];
  let names = before.speaker_names ?? [];
  let changed: ChangedRange | undefined;
  for (const { from, to, turns: put, speaker_names } of splices) {
    if (from > to || to > turns.length) return undefined;
    turns.splice(from, to - from, ...put);
    changed = addChange(changed, { from, to: from + put.length, replaced: to - from });
    names = speaker_names ?? names;
  }
  return { turns, changed, names };
}

/** Returns whether two lists of turns are equal, whatever the order of their keys. */
export function areSame(turns: readonly DeskTurn[], others: readonly DeskTurn[]): boolean {
  const textOf = (list: readonly DeskTurn[]) =>
    JSON.stringify(list.map(({ speaker, text, words }) => [speaker, text, words]));
  return turns.length === others.length && textOf(turns) === textOf(others);
}

/** A draft with the unsent changes of earlier windows. */
export interface RestoredDraft extends ChangedTurns {
  /** Changes that lead back to the draft, oldest first. */
  readonly back: readonly Splice[];
  /** Changes without a known place in the text. */
  readonly kept: readonly Splice[];
  /** Keys of the storage, which are to be removed when the changes are stored again. */
  readonly keys: readonly string[];
  readonly keptKeys: readonly string[];
}

/** Restores the changes that earlier windows have stored and that are not in the saved draft. */
export function restoreDraft(storage: DraftStorage, jobId: string, draft: DeskDraftJson): RestoredDraft {
  const keys: string[] = [];
  const keptKeys: string[] = [];
  const kept: Splice[] = [];
  let restored = spliced(draft, [])!;
  for (const { key, draft: stored } of readStored(storage, jobId)) {
    const unsaved = isSavedIn(draft, stored) ? stored.splices.slice(1) : stored.splices;
    const isOfDraft = unsaved !== stored.splices || stored.revision === draft.revision;
    // A second window has changed the same text: its changes cannot be placed in the text of the first window.
    const isFirst = isOfDraft && restored.changed === undefined;
    const next = isFirst || unsaved.length === 0 ? spliced(draft, unsaved) : undefined;
    if (next) {
      if (next.changed) restored = next;
      keys.push(key);
    } else {
      kept.push(...stored.splices);
      keptKeys.push(key);
    }
  }
  const { changed } = restored;
  const splice = changed && { from: changed.from, to: changed.from + changed.replaced };
  const turns = restored.turns.slice(changed?.from, changed?.to);
  const back = splice ? [inverseOf({ ...splice, turns }, draft)] : [];
  return { ...restored, back, kept, keys, keptKeys };
}

/** Returns whether a draft can be the result of a sent change. */
function isSavedIn(draft: DeskDraftJson, { revision, splices: [sent], count }: StoredDraft): boolean {
  return (
    sent !== undefined &&
    draft.revision === revision + 1 &&
    draft.turns.length === count &&
    areSame(draft.turns.slice(sent.from, sent.from + sent.turns.length), sent.turns)
  );
}

/** Returns stored changes; undefined when they cannot be read. */
export function parseStored(text: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(text) as StoredDraft;
    return Number.isInteger(draft.revision) && draft.splices.every(isSplice) ? draft : undefined;
  } catch {
    return undefined;
  }
}

function isSplice({ from, to, turns }: Splice): boolean {
  const isPlace = Number.isInteger(from) && Number.isInteger(to) && from >= 0;
  return isPlace && turns.every(({ text, words }) => typeof text === 'string' && Array.isArray(words));
}
