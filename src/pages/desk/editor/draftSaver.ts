import { fullJitterMs } from '../../../base/backoff.ts';
import type { DeskDraftJson } from '../../../protocol/desk.ts';
import { CallError, callErrorOf, type DraftCalls } from './calls.ts';
import type { ChangedRange } from './changedTurns.ts';
import { conflictsOf, mergedTurns, mergeNames, mergeTurns, type TurnChoice } from './mergeTurns.ts';
import { type Block, blockOf, errorOf, type LaterText, type SaveState, saveStateOf } from './saveState.ts';
import { type DraftStorage, newDraftKey, type RestoredDraft, writeStored } from './storedDraft.ts';
import type { StoredPast } from './storedPast.ts';
import { type SavedEditor, UnsentChanges } from './unsentChanges.ts';

export interface DraftSaverOptions {
  readonly jobId: string;
  readonly calls: DraftCalls;
  readonly draft: DeskDraftJson;
  /** The draft with the changes of earlier windows. */
  readonly restored: RestoredDraft;
  /** An editor of `restored.turns`. */
  readonly editor: SavedEditor;
  /** `localStorage`. */
  readonly storage: DraftStorage;
  /** Receives the changes that lead back from each revision. */
  readonly past?: Pick<StoredPast, 'add'>;
  /** The window, whose events can trigger an immediate save. */
  readonly events: EventTarget;
  readonly onState: (state: SaveState) => void;
  /** Called with the author when a later text was merged with that of the editor. */
  readonly onMerged?: (author: string | undefined) => void;
}

export const SAVING = {
  /** A pause of typing after which changes are sent. */
  pauseMs: 1500,
  /** Changes are sent after this time at the latest. */
  atMostMs: 5000,
  /** Changes are stored after this time at the latest. */
  storeMs: 300,
  retry: { baseMs: 1000, capMs: 20_000 },
  leastRetryMs: 300,
} as const;

/** Saves the text of an editor while it is typed, and first the changes of earlier windows. */
export class DraftSaver {
  readonly #options: DraftSaverOptions;
  readonly #key: string;
  readonly #closing = new AbortController();
  readonly #unsent: UnsentChanges;
  /** Changes of earlier windows without a known place in the text, with their keys in the storage. */
  #kept: Pick<RestoredDraft, 'kept' | 'keptKeys'>;
  #block: Block | undefined;
  /** A later text that conflicts with that of the editor. */
  #later: LaterText | undefined;
  /** The reason of the last failure, until an attempt succeeds. */
  #failure: CallError | undefined;
  #attempt = 0;
  #isBackOnline = false;
  #isBusy = false;
  #isStored = true;
  #firstChange: number | undefined;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;
  #flush: PromiseWithResolvers<void> | undefined;
  #shown: SaveState = { type: 'saved', isStored: true };

  constructor(options: DraftSaverOptions) {
    const { jobId, editor, draft, restored, storage, events } = options;
    this.#options = options;
    this.#key = newDraftKey(jobId);
    this.#kept = restored;
    this.#unsent = new UnsentChanges(editor, draft, restored.changed);
    const { signal } = this.#closing;
    events.addEventListener('online', () => this.#online(), { signal });
    events.addEventListener('pagehide', () => this.#store(), { signal });
    events.addEventListener('visibilitychange', () => this.#hidden(), { signal });
    if (this.#store()) for (const key of restored.keys) writeStored(storage, key, undefined);
    if (!this.#unsent.isEmpty) this.#sendNow();
  }

  get state(): SaveState {
    return this.#shown;
  }

  /** The revision that was saved last. */
  get revision(): number {
    return this.#unsent.revision;
  }

  /** Called with each change of the editor; without a range when names of speakers have changed. */
  changed(change: ChangedRange | undefined): void {
    this.#unsent.add(change);
    this.#firstChange ??= Date.now();
    this.#storeTimer ??= setTimeout(() => this.#store(), SAVING.storeMs);
    // A wait after a failure is not cut short by typing.
    if (!this.#failure && !this.#isBusy) this.#sendAfterPause();
    this.#show();
  }

  /** Resolves when all is saved; rejects with a `CallError` when it cannot be. */
  flush(): Promise<void> {
    this.#flush ??= Promise.withResolvers();
    const { promise } = this.#flush;
    this.#sendNow();
    return promise;
  }

  /** Sends at once: after a new claim, or after a new log-in. */
  resume(): void {
    if (this.#block !== 'revision') this.#block = undefined;
    this.#sendNow();
  }

  /**
   * Merges a later text with that of the editor. @param choices for each conflict of the state
   *
   * @returns false when there are other conflicts now, which the state has
   */
  merge(choices: readonly TurnChoice[]): boolean {
    const { theirs } = this.#later ?? {};
    const isMerged = theirs !== undefined && this.#mergeWith(theirs, choices);
    if (isMerged) this.#block = undefined;
    this.#store();
    if (isMerged) this.#sendNow();
    return isMerged;
  }

  /** Ends a conflict with an earlier window, whose turns are inserted or dropped. */
  endKept(isInserted: boolean): void {
    const { editor, storage } = this.#options;
    const { kept, keptKeys } = this.#kept;
    this.#kept = { kept: [], keptKeys: [] };
    if (isInserted) {
      const all = editor.turns(0, editor.count);
      for (const { to, turns } of kept) all.splice(to, 0, ...turns);
      editor.replaceAll(all, editor.names);
    }
    if (this.#store()) for (const key of keptKeys) writeStored(storage, key, undefined);
    this.#sendNow();
  }

  /** Stores unsent changes and stops. */
  close(): void {
    this.#store();
    this.#closing.abort();
    clearTimeout(this.#sendTimer);
    clearTimeout(this.#storeTimer);
    this.#endFlush(new CallError('Saving: the text was closed', { status: 0 }));
  }

  #online(): void {
    this.#attempt = 0;
    // An earlier call may still fail.
    this.#isBackOnline = this.#isBusy;
    this.#sendNow();
  }

  #hidden(): void {
    this.#store();
    if (!this.#failure && !this.#unsent.isEmpty) this.#sendNow();
  }

  #sendAfterPause(): void {
    const atMost = (this.#firstChange ?? Date.now()) + SAVING.atMostMs - Date.now();
    this.#sendIn(Math.min(SAVING.pauseMs, Math.max(0, atMost)));
  }

  #sendIn(delayMs: number): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = setTimeout(() => this.#sendNow(), delayMs);
  }

  #sendNow(): void {
    clearTimeout(this.#sendTimer);
    if (!this.#isBusy && !this.#closing.signal.aborted) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isBusy = true;
    try {
      let isMore = true;
      while (isMore) isMore = (await this.#sendOne()) && this.#flush !== undefined;
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isBusy = false;
      this.#isBackOnline = false;
    }
    if (this.#closing.signal.aborted) return;
    if (this.#block) this.#endFlush(errorOf(this.#block));
    else if (this.#failure) this.#endFlush(this.#failure);
    else if (this.#unsent.isEmpty) this.#endFlush();
    else this.#sendAfterPause();
    this.#show();
  }

  /** Sends the changes. Resolves with false when there are none, or when another text was saved meanwhile. */
  async #sendOne(): Promise<boolean> {
    const { calls, jobId } = this.#options;
    if (this.#block || (this.#unsent.isSending && !(await this.#learnResult()))) return false;
    this.#firstChange = undefined;
    const change = this.#unsent.begin(back => this.#options.past?.add(this.revision, back));
    if (!change) {
      this.#succeeded();
      return false;
    }
    // Stored before it is sent, so that the next window can find out whether it was saved.
    this.#store();
    this.#show();
    try {
      this.#unsent.accepted((await calls.saveDraft(jobId, change)).revision);
    } catch (cause) {
      const error = callErrorOf(cause);
      if (error.conflict === 'revision') {
        const isEqual = await this.#learnResult();
        // The change was refused although it was of the last revision: no immediate repetition.
        if (isEqual && this.revision === change.revision) throw new CallError(error.message, { status: 500 });
        return isEqual;
      }
      // Without an answer, and after a fault of the server, the change may have been saved.
      if (error.status >= 400 && error.status < 500) this.#unsent.takeBack();
      throw error;
    }
    this.#succeeded();
    return true;
  }

  /** Reads whether the sent change was saved. Resolves with false when another text was saved instead. */
  async #learnResult(): Promise<boolean> {
    const { calls, jobId } = this.#options;
    const draft = await calls.readDraft(jobId);
    if (this.#unsent.isSavedIn(draft)) this.#unsent.accepted(draft.revision);
    else this.#unsent.takeBack();
    if (draft.revision !== this.#unsent.revision)
      this.#block = this.#mergeWith(draft, []) ? undefined : 'revision';
    this.#succeeded();
    return !this.#block;
  }

  /** Merges a draft with the text. Returns false for conflicts without a choice. */
  #mergeWith(theirs: DeskDraftJson, choices: readonly TurnChoice[]): boolean {
    const { editor, onMerged } = this.#options;
    // An older draft, from a backup, lacks saved changes, which must not be deleted here.
    const base = theirs.revision > this.revision ? this.#unsent.saved : theirs;
    const parts = mergeTurns(editor.turns(0, editor.count), base.turns, theirs.turns);
    const conflicts = conflictsOf(parts);
    this.#later = { theirs, conflicts };
    if (conflicts.length !== choices.length) return false;
    this.#later = undefined;
    const names = mergeNames(editor.names, base.speaker_names ?? [], theirs.speaker_names ?? []);
    editor.replaceAll(mergedTurns(parts, choices), names);
    this.#unsent.rebase(theirs);
    onMerged?.(theirs.saved_by);
    return true;
  }

  #succeeded(): void {
    this.#failure = undefined;
    this.#attempt = 0;
    this.#store();
    this.#show();
  }

  #failed(error: unknown): void {
    const failure = callErrorOf(error);
    this.#block = blockOf(failure);
    this.#failure = this.#block ? undefined : failure;
    if (this.#failure) {
      const delayMs = this.#isBackOnline ? 0 : fullJitterMs(this.#attempt++, SAVING.retry);
      this.#sendIn(delayMs + SAVING.leastRetryMs);
    }
    this.#store();
  }

  #store(): boolean {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    this.#isStored = writeStored(this.#options.storage, this.#key, this.#unsent.toStore());
    this.#show();
    return this.#isStored;
  }

  #endFlush(error?: CallError): void {
    const flush = this.#flush;
    this.#flush = undefined;
    if (error) flush?.reject(error);
    else flush?.resolve();
  }

  #show(): void {
    const state = saveStateOf(this.#unsent, {
      block: this.#block,
      failure: this.#failure,
      later: this.#later,
      kept: this.#kept.kept.flatMap(({ turns }) => turns),
      isStored: this.#isStored,
    });
    if (JSON.stringify(state) === JSON.stringify(this.#shown)) return;
    this.#shown = state;
    this.#options.onState(state);
  }
}
