import { dequal } from 'dequal/lite';
import type { DeskChange, DeskDraftJson, DeskSpeakerNames, DeskTurn } from '../../../protocol/desk.ts';
import { addChange, type ChangedRange, growthOf } from './changedTurns.ts';
import { areSame, inverseOf, type Splice, type StoredDraft } from './storedDraft.ts';

/** The range of a change of names. */
const NO_TURNS: ChangedRange = { from: 0, to: 0, replaced: 0 };

/** The parts of an editor that saving needs. */
export interface SavedEditor {
  readonly count: number;
  /** Names of the speakers. */
  readonly names: DeskSpeakerNames;
  turns(from: number, to: number): DeskTurn[];
  /** Replaces all turns, and the names of the speakers. Can be undone. */
  replaceAll(turns: readonly DeskTurn[], names?: DeskSpeakerNames): void;
}

/** Changes of an editor that are not known to be on the server. */
export class UnsentChanges {
  readonly #editor: SavedEditor;
  /** The draft that was saved last. */
  #saved: DeskDraftJson = { revision: 0, turns: [] };
  /** The change that was sent and not answered, and the number of turns after it. */
  #sending: { readonly splice: Splice; readonly count: number } | undefined;
  /** The turns that were changed after the sent change. */
  #later: ChangedRange | undefined;
  #isChanged = false;

  /** @param changed turns of the editor that differ from the draft */
  constructor(editor: SavedEditor, draft: DeskDraftJson, changed: ChangedRange | undefined) {
    this.#editor = editor;
    this.startFrom(draft, changed);
  }

  /** The revision that was saved last. */
  get revision(): number {
    return this.#saved.revision;
  }

  /** The draft that was saved last. */
  get saved(): DeskDraftJson {
    return this.#saved;
  }

  get isEmpty(): boolean {
    return this.#sending === undefined && !this.#isChanged;
  }

  /** True when a sent change has no answer yet. */
  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  /** @param change none when only names of speakers have changed */
  add(change: ChangedRange | undefined): void {
    if (change) this.#later = addChange(this.#later, change);
    this.#isChanged = true;
  }

  /** Begins again with a saved draft, from which the editor differs in `changed` turns. */
  startFrom(draft: DeskDraftJson, changed?: ChangedRange): void {
    this.#saved = draft;
    this.#sending = undefined;
    this.#isChanged = changed !== undefined;
    // An editor has one turn at least.
    const blank = draft.turns.length === 0 ? { from: 0, to: this.#editor.count, replaced: 0 } : undefined;
    this.#later = changed ?? blank;
  }

  /** Begins again with a saved draft, some turns of which the editor has changed. */
  rebase(draft: DeskDraftJson): void {
    const { count } = this.#editor;
    const turns = this.#editor.turns(0, count);
    const isSame = (n: number, other: number) =>
      areSame(turns.slice(n, n + 1), draft.turns.slice(other, other + 1));
    const shorter = Math.min(count, draft.turns.length);
    let from = 0;
    while (from < shorter && isSame(from, from)) from++;
    let end = 0;
    while (end < shorter - from && isSame(count - 1 - end, draft.turns.length - 1 - end)) end++;
    const isEqual = from === count && count === draft.turns.length;
    if (isEqual && dequal(this.#editor.names, draft.speaker_names ?? [])) this.startFrom(draft);
    else this.startFrom(draft, { from, to: count - end, replaced: draft.turns.length - end - from });
  }

  /**
   * Returns the change to send next.
   *
   * @param onBegun called with the change that leads back from it
   */
  begin(onBegun?: (back: Splice) => void): DeskChange | undefined {
    if (!this.#isChanged || this.#sending) return undefined;
    const splice = this.#spliceOf(this.#later ?? NO_TURNS);
    onBegun?.(inverseOf(splice, this.#saved));
    this.#sending = { splice, count: this.#editor.count };
    this.#later = undefined;
    this.#isChanged = false;
    const { from, to, turns, speaker_names = [] } = splice;
    return { revision: this.revision, from, to, turns: [...turns], speaker_names: [...speaker_names] };
  }

  accepted(revision: number): void {
    const { turns, speaker_names } = this.#saved;
    if (this.#sending) {
      const { splice } = this.#sending;
      const changed = turns.toSpliced(splice.from, splice.to - splice.from, ...splice.turns);
      this.#saved = { revision, turns: changed, speaker_names: splice.speaker_names ?? speaker_names };
    }
    this.#sending = undefined;
  }

  /** Records that the sent change was not made. */
  takeBack(): void {
    if (!this.#sending) return;
    const { from, to, turns } = this.#sending.splice;
    const sent = { from, to: from + turns.length, replaced: to - from };
    this.#later = this.#later ? addChange(sent, this.#later) : sent;
    this.#sending = undefined;
    this.#isChanged = true;
  }

  /** Returns whether a draft is the result of the change that was sent. */
  isSavedIn({ revision, turns, speaker_names: names }: DeskDraftJson): boolean {
    if (!this.#sending || revision !== this.revision + 1) return false;
    const { splice, count } = this.#sending;
    if (!dequal(names ?? [], splice.speaker_names)) return false;
    const sent = turns.slice(splice.from, splice.from + splice.turns.length);
    if (turns.length !== count || !areSame(sent, splice.turns)) return false;
    // Turns without a change since then must also be equal.
    const { count: now } = this.#editor;
    const later = this.#later ?? { from: now, to: now, replaced: 0 };
    const before = this.#editor.turns(0, later.from);
    const after = this.#editor.turns(later.to, now);
    return (
      areSame(turns.slice(0, later.from), before) && areSame(turns.slice(later.to - growthOf(later)), after)
    );
  }

  /** Returns the changes to store; undefined when all is saved. */
  toStore(): StoredDraft | undefined {
    if (this.isEmpty) return undefined;
    const sent = this.#sending ? [this.#sending.splice] : [];
    const later = this.#isChanged ? [this.#spliceOf(this.#later ?? NO_TURNS)] : [];
    return { revision: this.revision, splices: [...sent, ...later], count: this.#sending?.count };
  }

  #spliceOf({ from, to, replaced }: ChangedRange): Splice {
    const { names } = this.#editor;
    return { from, to: from + replaced, turns: this.#editor.turns(from, to), speaker_names: names };
  }
}
