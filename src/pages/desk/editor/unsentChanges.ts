import type { DeskChange, DeskDraftJson, DeskTurn } from '../../../protocol/desk.ts';
import { addChange, addChanges, type ChangedRange, growthOf, growthOfAll } from './changedTurns.ts';
import { areSame, type Splice, type StoredDraft, spliced } from './storedDraft.ts';

/** An editor of turns, as far as it is needed here. */
export interface SavedEditor {
  readonly count: number;
  turns(from: number, to: number): DeskTurn[];
  /** Replaces all turns. Can be undone. */
  replaceAll(turns: readonly DeskTurn[]): void;
  /** Cannot be undone. */
  replaceTurns(from: number, to: number, turns: readonly DeskTurn[]): void;
}

/** Changes of an editor that are not known to be on the server. */
export class UnsentChanges {
  readonly #editor: SavedEditor;
  #revision = 0;
  /** The change that was sent and not answered, and the number of turns after it. */
  #sending: (Splice & { count: number }) | undefined;
  /** Changes after that one. */
  #later: readonly ChangedRange[] = [];
  #isChanged = false;

  constructor(editor: SavedEditor, draft: DeskDraftJson) {
    this.#editor = editor;
    this.startFrom(draft);
  }

  /** The revision that was saved last. */
  get revision(): number {
    return this.#revision;
  }

  get isEmpty(): boolean {
    return this.#sending === undefined && !this.#isChanged;
  }

  /** Whether a change was sent whose answer is missing. */
  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  /** Number of changes to send. */
  get size(): number {
    return this.#isChanged ? this.#later.length : 0;
  }

  add(change: ChangedRange): void {
    this.#later = addChange(this.#later, change);
    this.#isChanged = true;
  }

  /** Makes the changes of an earlier window in the editor, whose turns are those of the draft. */
  make(splices: readonly Splice[]): void {
    if (splices.length === 0) return;
    const isBlank = this.#later.length > 0;
    if (isBlank) {
      this.#editor.replaceTurns(0, this.#editor.count, spliced([], splices) ?? []);
      this.#later = [{ from: 0, to: this.#editor.count, replaced: 0 }];
    } else {
      for (const { from, to, turns } of splices) {
        this.#editor.replaceTurns(from, to, turns);
        this.add({ from, to: from + turns.length, replaced: to - from });
      }
    }
    this.#isChanged = true;
  }

  /** Begins again with a saved draft: the editor has its turns, or others that are to replace all of them. */
  startFrom({ revision, turns }: DeskDraftJson, isOther = false): void {
    this.#revision = revision;
    this.#sending = undefined;
    this.#isChanged = isOther;
    const all = { from: 0, to: this.#editor.count, replaced: turns.length };
    // An editor has one turn at least.
    this.#later = isOther || turns.length === 0 ? [all] : [];
  }

  /** Returns the next change to send. */
  begin(): DeskChange | undefined {
    const first = this.#isChanged ? this.#later[0] : undefined;
    if (!first || this.#sending) return undefined;
    const { from, to, replaced } = first;
    this.#later = this.#later.slice(1);
    this.#isChanged = this.#later.length > 0;
    const count = this.#editor.count - growthOfAll(this.#later);
    this.#sending = { from, to: from + replaced, turns: this.#editor.turns(from, to), count };
    return { revision: this.#revision, from, to: from + replaced, turns: this.#sending.turns as DeskTurn[] };
  }

  accepted(revision: number): void {
    this.#revision = revision;
    this.#sending = undefined;
  }

  /** The change that was sent has not been made. */
  takeBack(): void {
    if (!this.#sending) return;
    const { from, to, turns } = this.#sending;
    this.#later = addChanges([{ from, to: from + turns.length, replaced: to - from }], this.#later);
    this.#sending = undefined;
    this.#isChanged = true;
  }

  /** Returns whether a draft is the result of the change that was sent. */
  isSavedIn({ revision, turns }: DeskDraftJson): boolean {
    const sent = this.#sending;
    if (!sent || revision !== this.#revision + 1 || turns.length !== sent.count) return false;
    if (!areSame(turns.slice(sent.from, sent.from + sent.turns.length), sent.turns)) return false;
    // What has not been changed since then must be the same as well.
    let [at, growth] = [0, 0];
    for (const range of [...this.#later, { from: this.#editor.count, to: this.#editor.count, replaced: 0 }]) {
      const mine = this.#editor.turns(at, range.from);
      if (!areSame(turns.slice(at - growth, range.from - growth), mine)) return false;
      at = range.to;
      growth += growthOf(range);
    }
    return true;
  }

  /** Returns what is to be stored; undefined when all is saved. */
  toStore(): StoredDraft | undefined {
    if (this.isEmpty) return undefined;
    const splices = this.#isChanged ? this.#later.map(range => this.#spliceOf(range)) : [];
    return { revision: this.#revision, sending: this.#sending, splices };
  }

  /** Returns the turns that were changed. */
  turns(): DeskTurn[] {
    return this.#later.flatMap(({ from, to }) => this.#editor.turns(from, to));
  }

  #spliceOf({ from, to, replaced }: ChangedRange): Splice {
    return { from, to: from + replaced, turns: this.#editor.turns(from, to) };
  }
}
