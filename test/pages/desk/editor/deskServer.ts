import { CallError } from '../../../../src/pages/desk/editor/calls.ts';
import type { DraftStorage } from '../../../../src/pages/desk/editor/storedDraft.ts';
import type {
  DeskChange,
  DeskConflict,
  DeskDraftJson,
  DeskSavedJson,
  DeskTurn,
} from '../../../../src/protocol/desk.ts';

/** The fate of a call: it is answered, its request or its answer is lost, or it fails. */
export type Fate = 'answered' | 'request lost' | 'answer lost' | 'broken after' | 'broken before' | 'busy';

const LATENCY_MS = 80;

/** The draft of a job on a server, whose calls have scripted fates. */
export class DeskServer {
  revision = 0;
  turns: readonly DeskTurn[];
  names: readonly string[] = [];
  conflict: DeskConflict | undefined;
  /** Fates of the next calls; then all are answered. */
  fates: Fate[] = [];
  readonly calls: string[] = [];

  constructor(turns: readonly DeskTurn[]) {
    this.turns = turns;
  }

  get draft(): DeskDraftJson {
    return structuredClone({ revision: this.revision, turns: this.turns, speaker_names: this.names });
  }

  saveDraft(_jobId: string, change: DeskChange): Promise<DeskSavedJson> {
    return this.#call('save', () => {
      if (this.conflict) throw conflictOf(this.conflict);
      if (change.revision !== this.revision) throw conflictOf('revision');
      if (change.to > this.turns.length) throw new CallError('Out of the draft', { status: 400 });
      const turns = [...this.turns];
      turns.splice(change.from, change.to - change.from, ...structuredClone(change.turns));
      this.turns = turns;
      this.names = change.speaker_names ?? this.names;
      return { revision: ++this.revision };
    });
  }

  readDraft(): Promise<DeskDraftJson> {
    return this.#call('read', () => this.draft);
  }

  async #call<T>(name: string, answer: () => T): Promise<T> {
    this.calls.push(name);
    const fate = this.fates.shift() ?? 'answered';
    await new Promise(resolve => setTimeout(resolve, LATENCY_MS));
    if (fate === 'request lost') throw new CallError('Lost', { status: 0 });
    if (fate === 'broken before') throw new CallError('Broken', { status: 503 });
    if (fate === 'busy') throw new CallError('Busy', { status: 429 });
    const answered = answer();
    if (fate === 'broken after') throw new CallError('Broken', { status: 500 });
    if (fate === 'answer lost') throw new CallError('Lost', { status: 0 });
    await new Promise(resolve => setTimeout(resolve, LATENCY_MS));
    return answered;
  }
}

const conflictOf = (conflict: DeskConflict) => new CallError(conflict, { status: 409, conflict });

/** Storage of a browser in memory. */
export class MemoryStorage implements DraftStorage {
  readonly items = new Map<string, string>();
  isFull = false;
  get length() {
    return this.items.size;
  }
  key(index: number) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.items.set(key, value);
  }
  removeItem(key: string) {
    this.items.delete(key);
  }
}

/** The turns of an editor, without one. */
export class PlainEditor {
  list: DeskTurn[];
  names: readonly string[];
  onChange: ((change: { from: number; to: number; replaced: number } | undefined) => void) | undefined;

  constructor(turns: readonly DeskTurn[], names: readonly string[] = []) {
    this.list = turns.length > 0 ? [...turns] : [turnOf('')];
    this.names = names;
  }
  get count() {
    return this.list.length;
  }
  turns(from: number, to: number) {
    return structuredClone(this.list.slice(from, to));
  }
  replaceAll(turns: readonly DeskTurn[], names: readonly string[] = []) {
    this.names = names;
    this.replaceTurns(0, this.list.length, turns);
  }
  rename(names: readonly string[]) {
    this.names = names;
    this.onChange?.(undefined);
  }
  replaceTurns(from: number, to: number, turns: readonly DeskTurn[]) {
    this.list.splice(from, to - from, ...turns);
    const isBlank = this.list.length === 0;
    if (isBlank) this.list.push(turnOf(''));
    this.onChange?.({ from, to: from + (isBlank ? 1 : turns.length), replaced: to - from });
  }
}

export const turnOf = (text: string): DeskTurn => ({ speaker: 0, text, words: [] });
